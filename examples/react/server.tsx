import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
import { createClient } from "@feature-flags/sdk";
import { OpenFeatureProvider } from "@openfeature/react-sdk";
import { renderToString } from "react-dom/server";
import { App } from "./App.tsx";
import { BOOTSTRAP, type Bootstrap, setValues } from "./bootstrap.ts";

const { FLAGS_URL: url = "http://localhost:8787", PORT = "3000" } = process.env;
const { FLAGS_SERVER_KEY = "", FLAGS_FRONTEND_KEY = "" } = process.env;

const flags = createClient({ url, key: FLAGS_SERVER_KEY, appName: "example-react" });
await flags.ready();

const script = readFileSync(new URL("browser.js", import.meta.url));

/** Returns the page of a user. `renderToString` does not wait, so no other user's values get in. */
function pageOf(bootstrap: Bootstrap): string {
  setValues(bootstrap);
  const html = renderToString(
    <OpenFeatureProvider domain={BOOTSTRAP}>
      <App />
    </OpenFeatureProvider>,
  );
  const page = JSON.stringify({ ...bootstrap, url, key: FLAGS_FRONTEND_KEY });
  return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<div id="root">${html}</div>
<script id="page" type="application/json">${page.replaceAll("<", "\\u003c")}</script>
<script type="module" src="/browser.js"></script></html>`;
}

const server = createServer((request, response) => {
  if (request.url === "/browser.js") {
    response.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
    return;
  }
  const user = { targetingKey: "ann" };
  // Everybody can read the page, so it has only the flags that browsers get.
  const results = flags.all(user, { for: "browser" });
  const values = Object.entries(results).flatMap(([key, { value }]) =>
    value === undefined ? [] : [[key, value]],
  );
  response
    .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" })
    .end(pageOf({ user, values: Object.fromEntries(values) }));
});

server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : PORT;
  console.log(`http://localhost:${port}`);
});
