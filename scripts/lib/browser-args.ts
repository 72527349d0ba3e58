/**
 * The arguments of Chromium in the browser tests. Chromium cannot use its sandbox as root in a
 * container. The other arguments turn off the GPU, QUIC, the first-run page and Chromium's own
 * network requests.
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
