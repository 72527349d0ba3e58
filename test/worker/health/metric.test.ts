import { describe, expect, it } from "vitest";
import { METRIC_FAMILIES } from "../../../src/core/metrics/metric-families.ts";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { scrape } from "../support/scrape.ts";
import { callWith } from "../support/call-with.ts";

// Each call replaces the environment, so that no result of an earlier call is cached.
const metric = (name: string, query = "") =>
  callWith({}, "GET", `/actuator/metrics/${name}${query}`);

const REQUESTS = "http_server_requests_seconds";

// Two notations of one series. The tests compare only this series, because test files that ran
// before in this runtime may have added others.
const LABELS = 'method="GET",uri="/v3/api-docs",status="200"';
const TAGS = "?tag=uri:/v3/api-docs&tag=status:200&tag=method:GET";

/** Makes five requests that the request metric counts in three series. */
async function someRequests(): Promise<void> {
  for (let n = 0; n < 3; n++) await callWith({}, "GET", "/v3/api-docs");
  await callWith({}, "POST", "/v3/api-docs");
  await callWith({}, "GET", "/api/nothing");
}

describe("the metrics in JSON at /actuator/metrics and /actuator/metrics/{name}", () => {
  it("list the names of all metric families", async () => {
    const { body } = await call("GET", "/actuator/metrics");
    expect(body).toEqual({ names: Object.keys(METRIC_FAMILIES).toSorted() });
  });

  it.each(Object.keys(METRIC_FAMILIES))("include every metric family: %s", async (name) => {
    const { status, body } = await metric(name);
    expect([status, body.name]).toEqual([200, name]);
  });

  it("have the same count and total time as the Prometheus export", async () => {
    await someRequests();
    const samples = await scrape();
    const { body } = await metric(REQUESTS, TAGS);
    const count = samples.get(`${REQUESTS}_count{${LABELS}}`);
    expect(body).toMatchObject({
      description: METRIC_FAMILIES[REQUESTS].help,
      baseUnit: "seconds",
      measurements: [
        { statistic: "COUNT", value: count },
        { statistic: "TOTAL_TIME", value: samples.get(`${REQUESTS}_sum{${LABELS}}`) },
      ],
    });
    expect(count).toBeGreaterThanOrEqual(3);
  });

  it("list the available tags of a metric", async () => {
    const { body } = await metric(REQUESTS);
    expect(body.availableTags.map(({ tag }: { tag: string }) => tag)).toEqual([
      "method",
      "uri",
      "status",
    ]);
  });

  it("have a COUNT for a counter and a VALUE for a gauge", async () => {
    const counter = (await metric("cache_puts_total")).body;
    expect([counter.baseUnit, counter.measurements[0].statistic]).toEqual([null, "COUNT"]);
    const gauge = (await metric("db_client_connections")).body;
    expect(gauge.measurements).toEqual([{ statistic: "VALUE", value: expect.any(Number) }]);
  });

  it("are filtered by the tags in the query, and list the remaining tags", async () => {
    await someRequests();
    await scrape();
    const all = (await metric(REQUESTS)).body;
    const descriptions = (await metric(REQUESTS, "?tag=uri:/v3/api-docs")).body;
    const series = (await metric(REQUESTS, TAGS)).body;
    expect(descriptions.availableTags).toEqual([
      { tag: "method", values: expect.arrayContaining(["GET"]) },
      { tag: "status", values: expect.arrayContaining(["200"]) },
    ]);
    expect(series.availableTags).toEqual([]);
    const count = ({ measurements }: typeof all) => measurements[0].value;
    expect(count(series)).toBeLessThanOrEqual(count(descriptions));
    expect(count(descriptions)).toBeLessThan(count(all));
    const unknown = await metric(REQUESTS, "?tag=uri:UNKNOWN");
    expect(unknown.body.availableTags[1]).toEqual({
      tag: "status",
      values: expect.arrayContaining(["404", "405"]),
    });
  });

  it.each(["?tag=cache:other", "?tag=colour:red"])(
    "return 404 for the unknown tag or value in %s",
    async (query) => {
      expect(outcome(await metric("cache_puts_total", query))).toBe("404 NOT_FOUND");
    },
  );

  it.each(["?tag=", "?tag=cache", "?tag=:rules", "?tag=cache:rules&tag=x"])(
    "return 400 for the malformed tag in %s",
    async (query) => {
      expect(outcome(await metric("cache_puts_total", query))).toBe("400 BAD_REQUEST");
    },
  );
});
