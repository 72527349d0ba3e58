import { createClient, createOfflineClient } from "@feature-flags/sdk";
import { createBindingClient } from "@feature-flags/sdk/binding";
import { FeatureFlagsProvider } from "@feature-flags/sdk/openfeature";
import { describe, expect, it } from "vitest";
import { closeAll, start } from "./support/start.ts";

closeAll();

/** Returns a value with a type that any argument accepts, as a program without types passes it. */
const wrong = (value: unknown) => value as never;

describe("a program without types", () => {
  it.each(["chnage", "constructor", "__proto__", undefined, 5])(
    "gets an error with the names of the events when it names the event %s",
    (name) => {
      const client = createOfflineClient();
      const event = wrong(name);
      const error = `A client has no event ${String(name)}; use one of ready, change, stale, error`;
      expect(() => client.on(event, () => {})).toThrow(error);
      expect(() => client.once(event, () => {})).toThrow(error);
      expect(() => client.off(event, () => {})).toThrow(error);
    },
  );

  it("gets an error when a listener is not a function", () => {
    const client = createOfflineClient();
    for (const listener of [undefined, null, {}].map((one) => wrong(one))) {
      const error = "The listener of the event ready must be a function";
      expect(() => client.on("ready", listener)).toThrow(error);
      expect(() => client.once("ready", listener)).toThrow(error);
      expect(() => client.off("ready", listener)).toThrow(error);
    }
  });

  it.each([null, undefined, "text", 5])(
    "gets an error from ready for the options %j, and the client does not throw",
    async (options) => {
      const client = createClient(wrong(options));
      await expect(client.ready()).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining("The option key must be an API key"),
      });
    },
  );

  it.each([
    ["appName", 5, "must be a text"],
    ["instanceId", {}, "must be a text"],
    ["reportUsage", "no", "must be true or false"],
    ["logger", {}, "must have the functions warn and error"],
    ["logger", "console", "must have the functions warn and error"],
    ["updates", "push", "must be stream, poll or manual"],
  ])("gets an error that names the option %s with the value %j", async (option, value, message) => {
    const { client } = start({ [option]: value });
    await expect(client.ready()).rejects.toThrow(`The option ${option} ${message}`);
  });

  it.each([5000, { timeout: "5s" }, { timeout: -1 }, { timeout: Number.NaN }])(
    "gets an error from ready for the timeout %j, and close uses the default",
    async (options) => {
      const { client, clock } = start({ updates: "manual" });
      const given = wrong(options);
      await expect(client.ready(given)).rejects.toThrow("ready({ timeout: 5000 })");
      const closed = client.close(given);
      await clock.advance(10_000);
      await expect(closed).resolves.toBeUndefined();
    },
  );

  it("gets the default options for the value null", async () => {
    const client = createOfflineClient();
    await expect(client.ready(wrong(null))).resolves.toBeUndefined();
    await expect(client.close(wrong(null))).resolves.toBeUndefined();
  });

  it.each([null, "checkout", 5])(
    "gets an error when an offline client has the flags %j",
    (flags) => {
      expect(() => createOfflineClient(wrong(flags))).toThrow(
        "takes an object with the value of each",
      );
    },
  );

  it("gets an error when an override has no key or no value", () => {
    const client = createOfflineClient();
    const override = (key: unknown, value: unknown) => client.override(wrong(key), wrong(value));
    expect(() => override(5, true)).toThrow("The key of an override must be a text");
    for (const value of [undefined, () => true, Symbol("on")])
      expect(() => override("checkout", value)).toThrow(
        "The value that overrides checkout must be",
      );
  });

  it("gets the default and the names of the types when it names another type", () => {
    const client = createOfflineClient({ checkout: true });
    expect(client.details("checkout", false, {}, wrong("bool"))).toMatchObject({
      value: false,
      errorCode: "TYPE_MISMATCH",
      errorMessage: "The type of a flag must be one of boolean, string, number, json",
    });
  });
});

describe("a provider of OpenFeature", () => {
  it.each([null, undefined, "text"])("fails at initialize for the options %j", async (given) => {
    const provider = new FeatureFlagsProvider(wrong(given));
    await expect(provider.initialize()).rejects.toThrow("The option key must be an API key");
  });

  it("says which clients it takes when it gets a client with a service binding", () => {
    const client = createBindingClient({ binding: wrong({}) });
    expect(() => new FeatureFlagsProvider(wrong(client))).toThrow("createOfflineClient");
  });
});

describe("a client with a service binding", () => {
  const logger = { warn: () => {}, error: () => {} };
  const ctx = { waitUntil: () => {} };

  it.each([undefined, null])(
    "says which option is missing when the binding is %s",
    async (binding) => {
      const client = createBindingClient(wrong({ binding, logger }));
      await expect(client.ready(ctx)).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining("The option binding must be a service binding"),
      });
    },
  );

  it("says what ready takes when it gets no execution context", async () => {
    const client = createBindingClient({ binding: wrong({}), logger });
    for (const context of [undefined, null, {}])
      await expect(client.ready(wrong(context))).rejects.toThrow("ready(ctx)");
  });
});
