import { describe, expect, it } from "vitest";
import { networkOf } from "../src/ip.ts";

describe("the network that an address is counted by", () => {
  it.each([
    ["of IPv4 is the address itself", "192.0.2.1", "192.0.2.1"],
    ["of IPv6 is its /64", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["of IPv6 is the same in every spelling", "2001:0DB8:0001:2::", "2001:db8:1:2::/64"],
    ["of IPv6 may have zeros in it", "2001:db8::1", "2001:db8:0:0::/64"],
    ["of a mapped IPv4 address is that address", "::ffff:192.0.2.1", "192.0.2.1"],
    ["of a text that is none is the text", "unknown", "unknown"],
    ["of a text that looks like one is the text", "x:y", "x:y"],
  ])("%s", (_, address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
