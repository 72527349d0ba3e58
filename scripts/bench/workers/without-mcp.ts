import { createRouter } from "../../../src/http/router.ts";

// Takes the place of `src/mcp/routes.ts` in a bundle without the endpoint for agents.

export const mcp = createRouter();
