import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { call } from "../support/client.ts";
import { HOLDERS } from "./callers.ts";
import { CONTRACT, type Row } from "./contract-rows.ts";
import { everything, type Known } from "./known.ts";
import { properly } from "./route.ts";
import { ROUTES } from "./routes.ts";

const ROWS = Object.values(CONTRACT).flat();
/**
 * Returns the name of a row's route in ROUTES, where `{metrics_export}` is `prometheus`
 * (docs/decisions.md, 5.1).
 */
const served = ({ name }: Row) => name.replace("{metrics_export}", "prometheus");
const titled = (rows: readonly Row[]) => rows.map((row) => [row.name, row] as const);

/**
 * The names of the app's routes, such as `GET /api/v1/flags/{id}`, without middleware and
 * dashboard.
 */
const MOUNTED = new Set(
  app.routes
    .filter(({ method, path }) => method !== "ALL" && /^\/(api|v3|swagger-ui|actuator)/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`),
);

const classified = new Map(ROUTES.map((route) => [route.name, route]));

let known: Known;
beforeAll(async () => {
  known = await everything();
});

describe("the endpoints that clients rely on", () => {
  it("are 76 different endpoints", () => {
    const counts = Object.values(CONTRACT).map((rows) => rows.length);
    expect(counts).toEqual([8, 10, 5, 5, 4, 1, 3, 5, 5, 5, 11, 9, 5]);
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(76);
  });

  it("are all routes of the app, except the routes that ROUTES marks as additional", () => {
    const additional = ROUTES.flatMap((route) => (route.additional ? [route.name] : []));
    const wanted = [...ROWS.map(served), ...additional];
    expect([...MOUNTED].toSorted()).toEqual(wanted.toSorted());
  });

  it("allow exactly the callers that have the permission of the route", () => {
    const rows = ROWS.filter(({ name }) => name.includes(" /api/"));
    const allowed = rows.map(({ name }) => {
      const route = classified.get(name);
      if (!route) return [name, "not in ROUTES"];
      return [name, route.permission === null ? "open" : HOLDERS[route.permission]];
    });
    expect(allowed).toEqual(rows.map(({ name, callers }) => [name, callers]));
  });
});

describe("an endpoint that clients rely on", () => {
  it.each(titled(ROWS))(
    "returns a status below 300 when its request is valid: %s",
    async (name, row) => {
      const route = classified.get(served(row));
      const [method = "", path = ""] = name.split(" ");
      const answer = await (route ? call(...properly(route, known)) : call(method, path));
      expect(route !== undefined || row.callers === "open").toBe(true);
      expect([name, answer.status < 300]).toEqual([name, true]);
    },
  );
});
