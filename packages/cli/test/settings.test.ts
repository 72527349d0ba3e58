import { describe, expect, it } from "vitest";
import { Failure } from "../src/failure.ts";
import { settingsOf, type Sources, type UserSettings } from "../src/settings.ts";

const SHOP = { url: "https://shop.example", token: "stored", project: "Shop" };
const LAB = { url: "https://lab.example", tokenCommand: "pass lab" };
const user: UserSettings = { version: 1, current: "shop", profiles: { shop: SHOP, lab: LAB } };

const settings = (sources: Partial<Sources>) =>
  settingsOf({ options: {}, variables: {}, repository: {}, user, ...sources });

/** Returns the exit and the message of the Failure that the settings cause. */
function failure(sources: Partial<Sources>) {
  try {
    return settings(sources);
  } catch (error) {
    const { exit, message } = error as Failure;
    return { exit, message };
  }
}

describe("the settings of a command", () => {
  it.each([
    ["the option", { options: { url: "https://a.example" } }, "https://a.example"],
    ["FLAGS_URL", { variables: { FLAGS_URL: "https://b.example/" } }, "https://b.example"],
    ["the profile of --profile", { options: { profile: "lab" } }, "https://lab.example"],
    [".flags.json", {}, "https://c.example"],
  ] as const)("take the address of %s before those that follow", (_, sources, url) => {
    expect(settings({ repository: { url: "https://c.example" }, ...sources }).url).toBe(url);
  });

  it("take the current profile when nothing else names a service", () => {
    expect(settings({})).toMatchObject({
      url: "https://shop.example",
      project: "Shop",
      token: { kind: "profile", name: "shop" },
    });
  });

  it("take the project of the option, FLAGS_PROJECT, .flags.json, and the profile, in this order", () => {
    const options = { project: "A" };
    const variables = { FLAGS_PROJECT: "B" };
    const repository = { project: "C" };
    expect(settings({ options, variables, repository }).project).toBe("A");
    expect(settings({ variables, repository }).project).toBe("B");
    expect(settings({ repository }).project).toBe("C");
  });

  it("fail without a service, and for a profile that does not exist", () => {
    expect(failure({ user: { version: 1, profiles: {} } })).toMatchObject({ exit: "usage" });
    expect(failure({ options: { profile: "toString" } })).toMatchObject({
      exit: "usage",
      message: "There is no profile toString",
    });
  });

  it.each([
    "http://flags.example.com",
    "https://ann:secret@flags.example.com",
    "ftp://flags.example.com",
    "flags.example.com",
  ])("fail for the address %s", (url) => {
    expect(failure({ options: { url } })).toMatchObject({ exit: "usage" });
  });
});

describe("a stored token", () => {
  it("goes only to the address that it was made for", () => {
    const token = (url: string) => settings({ options: { url } }).token;
    expect(token("https://shop.example/")).toMatchObject({ kind: "profile", name: "shop" });
    expect(token("https://lab.example")).toMatchObject({ kind: "profile", name: "lab" });
    expect(token("https://other.example")).toEqual({ kind: "none" });
    expect(token("https://shop.example.evil.example")).toEqual({ kind: "none" });
  });

  it("goes to an address of .flags.json that has a profile", () => {
    const repository = { url: "https://lab.example" };
    expect(settings({ repository }).token).toMatchObject({ kind: "profile", name: "lab" });
  });

  it("of another profile is not used with --profile", () => {
    const options = { profile: "shop", url: "https://lab.example" };
    expect(settings({ options }).token).toEqual({ kind: "none" });
  });
});

describe("FLAGS_TOKEN", () => {
  const variables = { FLAGS_TOKEN: "secret" };
  const repository = { url: "https://cloned.example" };

  it("goes to the address of the option, of FLAGS_URL, and of the profile", () => {
    const sent = { kind: "variable", token: "secret" };
    expect(settings({ variables, repository, options: repository }).token).toEqual(sent);
    const named = { ...variables, FLAGS_URL: repository.url };
    expect(settings({ variables: named, repository }).token).toEqual(sent);
    expect(settings({ variables }).token).toEqual(sent);
  });

  it("needs a confirmation for an address that only .flags.json names, once", () => {
    expect(settings({ variables, repository }).token.kind).toBe("unconfirmed");
    const trusting = { ...user, trusted: [repository.url] };
    expect(settings({ variables, repository, user: trusting }).token.kind).toBe("variable");
  });
});
