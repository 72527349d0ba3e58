import { z } from "@hono/zod-openapi";
import { compareNames } from "../../core/lib/names.ts";
import { id, idText, name } from "../../http/schema.ts";
import { savedQuery } from "../shared/saved-query.ts";
import type { EntryRow } from "../../model/preferences/queries.ts";

const column = z.string().min(1).max(100);

const columns = z.array(column).max(100).nullable().openapi({
  description: "The columns of the list of flags, in the client's own words. null: the default",
});

export const preferencesQuery = z.object({ projectId: idText });

const ofFlag = { projectId: id, flagId: id };

export const changePreferencesRequest = z
  .discriminatedUnion(
    "change",
    [
      z.object({ change: z.literal("addFavourite"), ...ofFlag }),
      z.object({ change: z.literal("removeFavourite"), ...ofFlag }),
      z.object({ change: z.literal("addRecent"), ...ofFlag }),
      z.object({ change: z.literal("saveFilter"), projectId: id, name, query: savedQuery }),
      z.object({ change: z.literal("renameFilter"), projectId: id, name, newName: name }),
      z.object({ change: z.literal("deleteFilter"), projectId: id, name }),
      z.object({ change: z.literal("setColumns"), projectId: id, columns }),
    ],
    { error: "must be a change of the preferences" },
  )
  .openapi("ChangePreferences", {
    example: { change: "addFavourite", projectId: 1, flagId: 12 },
  });

const flag = z.object({ id, key: z.string(), name: z.string() });

export const preferencesResponse = z
  .object({
    favourites: z.array(flag),
    recent: z.array(flag).openapi({ description: "The flags opened last, newest first" }),
    filters: z.array(z.object({ name: z.string(), query: z.string() })),
    columns,
  })
  .openapi("Preferences", {
    example: {
      favourites: [{ id: 12, key: "new-checkout", name: "New checkout" }],
      recent: [{ id: 12, key: "new-checkout", name: "New checkout" }],
      filters: [{ name: "Stale", query: "stale=true" }],
      columns: null,
    },
  });

export function toPreferences(rows: readonly EntryRow[]): z.infer<typeof preferencesResponse> {
  const of = (kind: EntryRow["kind"]) => rows.filter((row) => row.kind === kind);
  const flagsOf = (kind: EntryRow["kind"]) =>
    of(kind).flatMap(({ flagId, flagKey, flagName }) =>
      flagId === null || flagKey === null || flagName === null
        ? []
        : { id: flagId, key: flagKey, name: flagName },
    );
  const savedColumns = of("columns")[0]?.value;
  return {
    favourites: flagsOf("favourite"),
    recent: flagsOf("recent"),
    filters: of("filter")
      .flatMap(({ name: called, value }) =>
        typeof value === "string" ? { name: called, query: value } : [],
      )
      .toSorted((a, b) => compareNames(a.name, b.name)),
    columns: Array.isArray(savedColumns) ? savedColumns : null,
  };
}
