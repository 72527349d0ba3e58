import type { Context } from "hono";

/** What is sent is what it is called, and nothing else. */
export const NO_SNIFFING = { "X-Content-Type-Options": "nosniff" };

/** From now on by https alone: for a year, the time that browsers ask for. */
export const HTTPS_ONLY = {
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
};

/** Answers of the API, should somebody open one as a page. Those of pages: dashboard/public/_headers. */
export const API_HEADERS = {
  ...NO_SNIFFING,
  ...HTTPS_ONLY,
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/** The headers of an HTML page. A copy of dashboard/public/_headers, which the platform applies to the assets. */
export const PAGE_HEADERS = {
  ...NO_SNIFFING,
  ...HTTPS_ONLY,
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
};

/** Puts them on whatever answer the context will make; pages of other origins cannot embed it. */
export function secure(c: Context): void {
  for (const [name, value] of Object.entries(API_HEADERS)) c.header(name, value);
  c.header("Cross-Origin-Resource-Policy", "same-origin");
}
