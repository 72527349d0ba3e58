/** The header that keeps browsers from guessing another content type. */
export const NO_SNIFFING = { "X-Content-Type-Options": "nosniff" };

/**
 * The header that makes browsers use only https for one year. The preload lists of browsers require
 * at least one year.
 */
export const HTTPS_ONLY = {
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
};

/**
 * The security headers of error responses, and of all responses outside of the client API. They protect a
 * browser that opens a response as a page. The headers of the dashboard are in dashboard/public/_headers.
 */
export const API_HEADERS = {
  ...NO_SNIFFING,
  ...HTTPS_ONLY,
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/**
 * The security headers of an HTML page that the Worker returns. They are a copy of
 * dashboard/public/_headers, which the platform applies to the static assets.
 */
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
