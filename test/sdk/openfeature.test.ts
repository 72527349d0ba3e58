import { NEW_RULE } from "../../src/core/strategies/strategy.ts";
import { createOfflineClient } from "@feature-flags/sdk";
import { FeatureFlagsProvider } from "@feature-flags/sdk/openfeature";
import { type EventDetails, OpenFeature, ProviderEvents } from "@openfeature/server-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeService, KEY } from "./support/fake-service.ts";
import { closeAll, start } from "./support/start.ts";

closeAll();
afterEach(() => OpenFeature.close());

const IN_GERMANY = { field: "country", operator: "in", values: ["DE"], contextType: "string" };
const TEXTS = [
  { key: "short", value: "Hello" },
  { key: "long", value: "Hello and welcome" },
];

function withFlags(service: FakeService): void {
  service.set("plain", { constraints: [IN_GERMANY] });
  service.set("off", { enabled: false });
  service.set("half", { percentage: 50 });
  service.set("title", {}, { valueType: "string", variants: TEXTS, offVariant: "short" });
  service.set("limit", {}, { valueType: "number", variants: [{ key: "low", value: 10 }] });
  service.set("layout", {}, { valueType: "json", variants: [{ key: "a", value: { columns: 3 } }] });
  service.set("child", {}, { prerequisites: [{ flagKey: "off" }] });
  const since = { field: "since", operator: "gt", values: ["2026-01-01"], contextType: "date" };
  service.set("dated", { constraints: [since] });
  const serve = { variant: "long" };
  service.set(
    "ruled",
    { rules: [{ ...NEW_RULE, id: "r1", constraints: [IN_GERMANY], serve }] },
    { valueType: "string", variants: TEXTS, offVariant: "short" },
  );
}

/** Sets a provider with the given flags, and records the events that OpenFeature reports. */
async function withProvider(prepare: (service: FakeService) => void = withFlags) {
  const started = start({}, prepare);
  const provider = new FeatureFlagsProvider(started.client);
  const seen: string[] = [];
  const details: (EventDetails | undefined)[] = [];
  for (const event of Object.values(ProviderEvents))
    OpenFeature.addHandler(event as ProviderEvents.Ready, (given) => {
      seen.push(event);
      details.push(given);
    });
  // Forgets the event of the default provider, which does nothing and is ready at once.
  seen.length = 0;
  await OpenFeature.setProviderAndWait(provider);
  return { ...started, provider, flags: OpenFeature.getClient(), seen, details };
}

beforeEach(() => OpenFeature.clearHandlers());

describe("the provider for OpenFeature", () => {
  it("returns values of all types, with the reasons of OFREP", async () => {
    const { flags } = await withProvider();
    const user = { targetingKey: "ann", country: "DE" };
    expect(await flags.getBooleanDetails("plain", false, user)).toMatchObject({
      value: true,
      variant: "on",
      reason: "TARGETING_MATCH",
    });
    expect(await flags.getStringDetails("title", "code", user)).toMatchObject({
      value: "Hello",
      variant: "short",
      reason: "STATIC",
    });
    expect(await flags.getNumberDetails("limit", 1, user)).toMatchObject({ value: 10 });
    expect(await flags.getObjectDetails("layout", {}, user)).toMatchObject({
      value: { columns: 3 },
      variant: "a",
    });
    expect(await flags.getStringDetails("ruled", "code", user)).toMatchObject({
      value: "Hello and welcome",
      reason: "TARGETING_MATCH",
      flagMetadata: { rule: "r1" },
    });
  });

  it("serves the off variant with the reason DEFAULT when no rule decides, and DISABLED when the flag is off", async () => {
    const { flags } = await withProvider();
    expect(await flags.getBooleanDetails("plain", true, { country: "FR" })).toMatchObject({
      value: false,
      variant: "off",
      reason: "DEFAULT",
      flagMetadata: { detail: "CONSTRAINT_MISMATCH" },
    });
    expect(await flags.getBooleanDetails("child", true)).toMatchObject({
      value: false,
      reason: "DEFAULT",
      flagMetadata: { detail: "PREREQUISITE_FAILED" },
    });
    expect(await flags.getBooleanDetails("off", true)).toMatchObject({
      value: false,
      reason: "DISABLED",
    });
  });

  it("returns the default with OpenFeature's error code when a flag has no value for the caller", async () => {
    const { flags } = await withProvider();
    const error = (errorCode: string) => ({ value: true, reason: "ERROR", errorCode });
    expect(await flags.getBooleanDetails("half", true)).toMatchObject(
      error("TARGETING_KEY_MISSING"),
    );
    expect(await flags.getBooleanDetails("none", true)).toMatchObject(error("FLAG_NOT_FOUND"));
    expect(await flags.getBooleanDetails("title", true)).toMatchObject(error("TYPE_MISMATCH"));
    expect(await flags.getObjectDetails("title", {})).toMatchObject({
      value: {},
      errorCode: "TYPE_MISMATCH",
    });
  });

  it("compares dates in the context as OFREP does", async () => {
    const { flags } = await withProvider();
    const at = (since: Date) => flags.getBooleanValue("dated", false, { since });
    expect(await at(new Date("2026-02-01"))).toBe(true);
    expect(await at(new Date("2025-02-01"))).toBe(false);
    expect(await at(new Date(Number.NaN))).toBe(false);
  });

  it("reports changed flags, stale rules, and that the rules are current again", async () => {
    const { service, clock, flags, seen, details } = await withProvider();
    await clock.advance(0);
    expect(seen).toEqual(["PROVIDER_READY"]);
    service.set("plain", { enabled: false });
    await clock.advance(0);
    expect(seen).toEqual(["PROVIDER_READY", "PROVIDER_CONFIGURATION_CHANGED"]);
    expect(details.at(-1)).toMatchObject({ flagsChanged: ["plain"] });
    service.troubles = { features: "down", stream: "down" };
    service.cut();
    await clock.advance(200_000);
    expect(flags.providerStatus).toBe("STALE");
    expect(await flags.getStringValue("title", "code")).toBe("Hello");
    service.troubles = {};
    await clock.advance(60_000);
    expect(flags.providerStatus).toBe("READY");
    expect(seen.slice(2)).toEqual(["PROVIDER_STALE", "PROVIDER_READY"]);
  });

  it("reports a deleted key as PROVIDER_ERROR, and serves the last rules", async () => {
    const { service, clock, flags, seen, details } = await withProvider();
    await clock.advance(0);
    service.key = "another key";
    service.cut();
    await clock.advance(60_000);
    expect(seen.at(-1)).toBe("PROVIDER_ERROR");
    expect(details.at(-1)).toMatchObject({ errorCode: "GENERAL" });
    expect(flags.providerStatus).toBe("ERROR");
    expect(await flags.getStringDetails("title", "code")).toMatchObject({
      value: "Hello",
      reason: "STATIC",
    });
    service.key = KEY;
    await clock.advance(400_000);
    expect(flags.providerStatus).toBe("READY");
  });

  it("becomes FATAL when the service refuses the key after a start without rules", async () => {
    const { service, client, clock } = start({}, (one) => {
      withFlags(one);
      one.troubles = { features: "down" };
    });
    const waiting = OpenFeature.setProviderAndWait(new FeatureFlagsProvider(client));
    await Promise.all([waiting.catch(() => {}), clock.advance(10_000)]);
    expect(OpenFeature.getClient().providerStatus).toBe("ERROR");
    service.troubles = { features: 401 };
    await clock.advance(60_000);
    expect(OpenFeature.getClient().providerStatus).toBe("FATAL");
  });

  it("becomes FATAL when the service refuses the key, and not when the service is down", async () => {
    const refused = withProvider((service) => {
      service.key = "another key";
    });
    await expect(refused).rejects.toMatchObject({ code: "PROVIDER_FATAL" });
    expect(OpenFeature.getClient().providerStatus).toBe("FATAL");
    const down = start({}, (service) => {
      withFlags(service);
      service.troubles = { features: "down" };
    });
    const waiting = OpenFeature.setProviderAndWait(new FeatureFlagsProvider(down.client));
    const [failed] = await Promise.all([
      waiting.catch((error: unknown) => error),
      down.clock.advance(10_000),
    ]);
    expect(failed).toMatchObject({ code: "UNREACHABLE" });
    expect(OpenFeature.getClient().providerStatus).toBe("ERROR");
    down.service.troubles = {};
    await down.clock.advance(30_000);
    expect(OpenFeature.getClient().providerStatus).toBe("READY");
    expect(await OpenFeature.getClient().getStringValue("title", "code")).toBe("Hello");
  });

  it("reports usage, and closes its client when OpenFeature closes the provider, even several times", async () => {
    const { client, clock, flags, provider, service } = await withProvider();
    await flags.getStringValue("title", "code");
    const closed = OpenFeature.close();
    await clock.advance(0);
    await closed;
    await provider.onClose();
    expect(service.reports.map(({ evaluations }) => evaluations)).toEqual([
      { title: { t: 0, f: 1, v: { short: 1 } } },
    ]);
    expect(client.status.state).toBe("closed");
  });

  it("is closed only when its client has ended the last report", async () => {
    const { clock, flags, provider, service } = await withProvider();
    await flags.getStringValue("title", "code");
    service.troubles.metrics = "hanging";
    let isClosed = false;
    const closed = provider.onClose().then(() => (isClosed = true));
    await clock.advance(0);
    expect(isClosed).toBe(false);
    await clock.advance(60_000);
    await closed;
  });

  it("accepts an offline client", async () => {
    const client = createOfflineClient({ plain: true });
    await OpenFeature.setProviderAndWait(new FeatureFlagsProvider(client));
    expect(await OpenFeature.getClient().getBooleanValue("plain", false)).toBe(true);
  });
});
