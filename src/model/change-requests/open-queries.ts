import { type SQL, sql } from "drizzle-orm";
import { changeRequests as requests } from "../../db/schema/change-requests.ts";
import type { RequestRow } from "./queries.ts";

/** What a reviewer sees of a request, apart from reviews and comments. */
export type Reviewable = Pick<RequestRow, "hash" | "title" | "description">;

/** Condition: the request is open, and has the content, the title and the description that were read. */
export const isOpen = ({
  id,
  hash,
  title,
  description,
}: Reviewable & { readonly id: number }): SQL =>
  sql`EXISTS (SELECT 1 FROM ${requests} WHERE ${requests.id} = ${id}
    AND ${requests.state} = 'open' AND ${requests.hash} = ${hash}
    AND ${requests.title} = ${title} AND ${requests.description} IS ${description})`;

/** Condition: the request is open and as it was read, and the service looks at it at this time. */
export const isPlanned = (row: Reviewable & { readonly id: number }, at: number): SQL =>
  sql`${isOpen(row)} AND (SELECT next_at FROM ${requests} WHERE ${requests.id} = ${row.id}) = ${at}`;
