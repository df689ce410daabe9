/**
 * The console: Butler's web interface. It uses the API contract and the live channels, and makes no decision that the
 * server does not enforce as well.
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
if (place === null) throw new Error("the page has no #root element");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
