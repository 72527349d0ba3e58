import { SwaggerUI } from "@hono/swagger-ui";

const tags = (urls: readonly string[], tag: (url: string) => string) =>
  urls.map(tag).join("\n    ");

/**
 * The HTML page of the interactive API reference. Its Content-Security-Policy allows no inline
 * script and no other origin, so the page loads every file from the service. The build copies these
 * files (dashboard/vite.config.ts).
 */
export const REFERENCE_PAGE: string = SwaggerUI({
  url: "/v3/api-docs",
  // Puts the files of the page below /vendor, because requests below /swagger-ui go to the Worker
  // instead of the static assets (wrangler.toml), and browsers keep the files below /assets for a
  // year (dashboard/public/_headers).
  baseUrl: "/vendor",
  manuallySwaggerUIHtml: ({ css, js }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    ${tags(css, (url) => `<link rel="stylesheet" href="${url}" />`)}
    <title>Feature flags: API</title>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. The API description itself is at /v3/api-docs.</noscript>
    ${tags(js, (url) => `<script src="${url}"></script>`)}
    <script src="/vendor/swagger-ui-dist/initializer.js"></script>
  </body>
</html>
`,
});
