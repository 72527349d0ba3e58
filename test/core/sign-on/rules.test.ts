import { describe, expect, it } from "vitest";
import {
  accountOf,
  type Claims,
  groupsIn,
  lacksProof,
  needsUserInfo,
} from "../../../src/core/sign-on/account.ts";
import { issuerError } from "../../../src/core/sign-on/issuer.ts";
import type { Provider } from "../../../src/core/sign-on/provider.ts";
import { type Candidate, decide, emailProblem } from "../../../src/core/sign-on/rules.ts";

const GOOGLE = "https://accounts.google.com";
const ENTRA = "https://login.microsoftonline.com/8d4f0d4e-6a3e-4c8b-9d5e-2f1f2c1a7b60/v2.0";

const provider = (fields: Partial<Provider> = {}): Provider => ({
  slug: "company",
  name: "Company",
  type: "oidc",
  enabled: true,
  issuer: "https://id.example.com",
  clientId: "client",
  domains: ["example.com", "gmail.com"],
  provisioning: "invited",
  secondFactor: "local",
  defaultRole: "VIEWER",
  groupClaim: null,
  roles: [],
  linkByEmail: true,
  sessionHours: 24,
  ...fields,
});
const ann = { sub: "1", email: "Ann@Example.com", email_verified: true };
const problem = (fields: Partial<Provider>, claims: Claims) =>
  emailProblem(provider(fields), accountOf(provider(fields), claims));

describe("an account at Google", () => {
  it.each([
    ["example.com", undefined],
    ["EXAMPLE.com", undefined],
    ["other.example", "domain"],
    [undefined, "domain"],
  ])("other hd, %s: has the problem %s", (hd, expected) => {
    expect(problem({ issuer: GOOGLE }, { ...ann, hd })).toBe(expected);
  });

  it("needs no hd with an address at gmail.com", () => {
    expect(problem({ issuer: GOOGLE }, { ...ann, email: "ann@gmail.com" })).toBeUndefined();
  });
});

describe("an account at Entra ID", () => {
  const entra = { issuer: ENTRA };

  it.each([true, 1, "1"])("has a proved address with xms_edov %j", (edov) => {
    expect(problem(entra, { ...ann, oid: "o", xms_edov: edov })).toBeUndefined();
  });

  it.each([false, 0, "0", undefined])(
    "has no proved address with xms_edov %j, whatever email_verified says",
    (edov) => {
      expect(problem(entra, { ...ann, oid: "o", xms_edov: edov })).toBe("not-verified");
    },
  );

  it("has the oid as subject, and is rejected without one", () => {
    expect(accountOf(provider(entra), { ...ann, oid: "object-1" }).subject).toBe("object-1");
    expect(() => accountOf(provider(entra), ann)).toThrow("no usable subject");
  });

  it("belongs to one tenant", () => {
    expect(issuerError(ENTRA, false)).toBeUndefined();
    for (const tenant of ["common", "organizations", "consumers", "example.onmicrosoft.com"])
      expect(issuerError(`https://login.microsoftonline.com/${tenant}/v2.0`, false)).toContain(
        "tenant",
      );
  });
});

describe("an e-mail address and its proof in the ID token and in UserInfo", () => {
  const id = { sub: "1" };
  const email = "ann@example.com";
  const proved = (claims: Claims, info: Claims, fields: Partial<Provider> = {}) => {
    const account = accountOf(provider(fields), { ...id, oid: "o", ...claims }, info);
    return [account.email, account.emailProved];
  };

  it.each<[string, Claims, Claims]>([
    ["only the proof is in UserInfo", { email }, { email_verified: true }],
    ["both are in UserInfo, too", { email }, { email: "Ann@Example.com", email_verified: true }],
    ["only the address is in UserInfo", { email_verified: true }, { email }],
    ["the ID token says null", { email, email_verified: null }, { email_verified: true }],
  ])("count together if %s", (_, claims, info) => {
    expect(proved(claims, info)).toEqual([email, true]);
    expect(emailProblem(provider(), accountOf(provider(), { ...id, ...claims }, info))).toBe(
      undefined,
    );
  });

  it.each<[string, Claims, Claims]>([
    ["UserInfo proves another address", { email }, { email: "a@b.example", email_verified: true }],
    ["the ID token says false", { email, email_verified: false }, { email_verified: true }],
    ["the ID token has a text", { email, email_verified: "true" }, { email_verified: true }],
    ["UserInfo says false", { email_verified: true }, { email, email_verified: false }],
    ["UserInfo has a text", { email }, { email, email_verified: "true" }],
    ["neither says it", { email }, { email }],
  ])("do not count if %s", (_, claims, info) => {
    expect(proved(claims, info)).toEqual([email, false]);
  });

  it("count at Entra ID only with xms_edov", () => {
    const entra = { issuer: ENTRA };
    expect(proved({ email }, { email_verified: true }, entra)).toEqual([email, false]);
    expect(proved({ xms_edov: true }, { email }, entra)).toEqual([email, true]);
  });

  it("make the service ask UserInfo if the ID token lacks the proof, except at Entra ID", () => {
    expect(lacksProof(provider(), { email })).toBe(true);
    expect(lacksProof(provider(), { email, email_verified: false })).toBe(false);
    expect(lacksProof(provider({ issuer: ENTRA }), { email })).toBe(false);
  });
});

describe("the groups of an account", () => {
  const groups = (groupClaim: string, claims: Claims, info: Claims = {}) =>
    groupsIn({ groupClaim }, claims, info);

  it.each<[string, Claims]>([
    ["groups", { groups: ["a"] }],
    ["realm_access.roles", { realm_access: { roles: ["a"] } }],
    ["realm_access.roles", { "realm_access.roles": ["a"], realm_access: { roles: ["b"] } }],
    ["resource_access.my.client.roles", { resource_access: { "my.client": { roles: ["a"] } } }],
    ["resource_access.my.client.roles", { resource_access: { my: { "client.roles": ["a"] } } }],
    ["https://corp.example/claims.roles", { "https://corp.example/claims": { roles: ["a"] } }],
    ["https://corp.example/a.b", { "https://corp.example/a.b": "a" }],
    ["a.b.c", { "a.b": { d: ["x"] }, a: { "b.c": ["a"] } }],
    ["a.b.c", { "a.b": { c: ["a"] }, a: { "b.c": ["x"] } }],
    [".a.", { ".a": { "": ["a"] } }],
  ])("are found at %s in %j", (path, claims) => {
    expect(groups(path, claims)).toEqual(["a"]);
    expect(groups(path, {}, claims)).toEqual(["a"]);
  });

  it.each<[string, Claims]>([
    ["a.b", { a: ["b"] }],
    ["a.b", { a: null, "a.": { b: ["x"] } }],
    ["constructor.name", {}],
    ["a.length", { a: "text" }],
  ])("are none at %s in %j", (path, claims) => {
    expect(groups(path, claims)).toEqual([]);
  });

  it("are asked of UserInfo if the ID token has null instead of a list", () => {
    const needs = { groupClaim: "groups", roles: [{ group: "a", role: "VIEWER" as const }] };
    expect(needsUserInfo(needs, { ...ann, groups: null })).toBe(true);
    expect(needsUserInfo(needs, { ...ann, groups: [] })).toBe(false);
  });
});

describe("the rules", () => {
  const user = (fields: Partial<Candidate> = {}): Candidate => ({
    email: "ann@example.com",
    role: "VIEWER",
    status: "ACTIVE",
    keepsRole: false,
    isLinked: false,
    ...fields,
  });
  const nobody = { linked: undefined, invited: undefined, sameEmail: undefined };
  const account = accountOf(provider(), ann);
  const unproved = accountOf(provider(), { ...ann, email_verified: false });

  it("let an invitation link prove the address of the invitation, and no other", () => {
    const invited = user({ status: "INVITED", role: "ADMIN" });
    expect(decide(provider(), unproved, { ...nobody, invited })).toMatchObject({
      action: "link",
      who: "invited",
    });
    const other = { ...invited, email: "bob@example.com" };
    expect(decide(provider(), unproved, { ...nobody, invited: other })).toEqual({
      problem: "not-verified",
    });
    expect(decide(provider(), account, { ...nobody, invited: other })).toMatchObject({
      who: "invited",
    });
    const taken = { ...nobody, invited: other, sameEmail: user() };
    expect(decide(provider(), account, taken)).toEqual({ problem: "conflict" });
  });

  it("never link a disabled user, and never change the role of a user who keeps it", () => {
    const disabled = user({ status: "DISABLED" });
    expect(decide(provider(), account, { ...nobody, sameEmail: disabled })).toEqual({
      problem: "disabled",
    });
    const grouped = provider({
      groupClaim: "groups",
      defaultRole: null,
      roles: [{ group: "x", role: "VIEWER" }],
    });
    const linked = user({ role: "ADMIN" });
    expect(decide(grouped, account, { ...nobody, linked })).toEqual({ problem: "no-role" });
    expect(decide(grouped, account, { ...nobody, linked: { ...linked, keepsRole: true } })).toEqual(
      {
        action: "sign-in",
        role: undefined,
      },
    );
  });
});
