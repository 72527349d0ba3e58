import { z } from "@hono/zod-openapi";

export const role = z.enum(["ADMIN", "DEVELOPER", "VIEWER"]);
