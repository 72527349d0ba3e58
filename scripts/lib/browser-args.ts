/**
 * Chromium cannot use its sandbox as root in a container. The other flags turn off the browser's
 * own network requests.
 */
export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
