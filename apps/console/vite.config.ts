import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { leanPackages } from "./src/build/lean-packages.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), leanPackages()],
  build: {
    target: "es2024",
    // Fonts inside style sheets would be data addresses, which our content security policy forbids.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  // For `npm run dev -w apps/console`: a server of Butler's beside it answers for the API.
  server: { proxy: { "/api": { target: process.env["BUTLER_SERVER"] ?? "http://127.0.0.1:8080", ws: true } } },
});
