// Starts the API reference. The Content-Security-Policy allows no inline script in the page.
globalThis.SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: "/v3/api-docs",
  deepLinking: true,
  docExpansion: "none",
  // Reloading the page removes the access token from the browser.
  persistAuthorization: false,
  // The default validator is a public website.
  validatorUrl: null,
});
