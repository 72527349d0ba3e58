import { ROLES } from "@feature-flags/permissions/permissions";
import { z } from "@hono/zod-openapi";

export const role = z.enum(ROLES);
