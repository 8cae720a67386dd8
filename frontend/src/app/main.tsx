/** Starts the pages. */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "../api/query-client";
import { ToastProvider } from "../components/toast";
import { languageFor, speak } from "../lib/i18n/catalog";
import "./base.css";
import { createAppRouter } from "./router";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no root element");

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

await speak(languageFor(undefined));

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
