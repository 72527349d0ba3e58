import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";

SwaggerUI({
  dom_id: "#swagger-ui",
  url: "/v3/api-docs",
  deepLinking: true,
  docExpansion: "none",
  // A token must not outlive the page.
  persistAuthorization: false,
  // Its badge would be asked for at a public address.
  validatorUrl: null,
});
