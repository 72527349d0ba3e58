import { z } from "@hono/zod-openapi";
import { id, iso, isoOrNull, timestamp } from "../../http/schema.ts";
import type { UserRow } from "./queries.ts";

export const userResponse = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    role: z.enum(["ADMIN", "DEVELOPER", "VIEWER"]),
    status: z.enum(["INVITED", "ACTIVE", "DISABLED"]),
    avatar: z.string().nullable(),
    locale: z.string(),
    createdAt: timestamp,
    lastActiveAt: timestamp.nullable(),
  })
  .openapi("User");

export const toUser = (row: UserRow): z.infer<typeof userResponse> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.status,
  avatar: row.avatar,
  locale: row.locale,
  createdAt: iso(row.createdAt),
  lastActiveAt: isoOrNull(row.lastActiveAt),
});

export const loginRequest = z.object({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(1024),
});

export const refreshRequest = z.object({ refreshToken: z.string().min(1).max(1024) });

export const selectProjectRequest = z.object({ projectId: id });

/** `token` and `accessToken` are the same: the contract uses both names. */
export const sessionResponse = z
  .object({
    token: z.string(),
    accessToken: z.string(),
    refreshToken: z.string(),
    user: userResponse,
  })
  .openapi("Session");
