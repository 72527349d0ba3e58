import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { takeMailLink } from "./app/mail-link.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root element");

// Here and not in a component, which React may render twice: the token can be taken once.
const opened = takeMailLink();

createRoot(root).render(
  <StrictMode>
    <App opened={opened} />
  </StrictMode>,
);
