import { describe, expect, it } from "vitest";
import { networkOf, siteOf } from "../src/ip.ts";

describe("siteOf", () => {
  it.each([
    ["returns the /48 of an IPv6 address", "2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["returns undefined for an IPv4 address", "192.0.2.1", undefined],
    ["returns undefined for a mapped IPv4 address", "::ffff:192.0.2.1", undefined],
    ["returns undefined for other text", "x:y", undefined],
  ])("%s", (_, address, site) => {
    expect(siteOf(address)).toBe(site);
  });
});

describe("networkOf", () => {
  it.each([
    ["returns an IPv4 address unchanged", "192.0.2.1", "192.0.2.1"],
    ["returns the /64 of an IPv6 address", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["returns the same /64 for another spelling", "2001:0DB8:0001:2::", "2001:db8:1:2::/64"],
    ["writes omitted zeros of an IPv6 address", "2001:db8::1", "2001:db8:0:0::/64"],
    ["returns the IPv4 address of a mapped IPv6 address", "::ffff:192.0.2.1", "192.0.2.1"],
    ["returns other text unchanged", "unknown", "unknown"],
    ["returns text that only looks like an address unchanged", "x:y", "x:y"],
  ])("%s", (_, address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
