/**
 * The console: pages of Butler in a browser. It speaks to the server by the contract, follows its live channels, and
 * decides nothing that the server does not decide as well.
 */
import "./data/schemas-without-eval.ts";
import "@butler/ui/styles.css";
import "./app/shell/shell.css";
import { followTheme } from "@butler/ui";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";

followTheme();
const place = document.getElementById("root");
if (place === null) throw new Error("the page has no place for the console");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
