import { describe, expect, test } from "vitest";
import { webhookUrlError } from "../../../src/core/webhooks/url.ts";

const PRIVATE = /loopback, private or link-local/;

/** Spellings of private and reserved IP addresses, which no public webhook receiver has. */
const PRIVATE_ADDRESSES = `
  127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0X7F.1 017700000001 0177.0.0.1
  0 0.0.0.0 0x0 10.0.0.1 10.255.255.255 167772161 012.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 192.168.257
  169.254.169.254 0xa9fea9fe 169.254.0.1 100.64.0.1 100.127.255.255 192.0.0.1 192.0.2.1 198.18.0.1
  198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
  [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe]
  [fd00::1] [fc00::1] [fdff:ffff::1] [fe80::1] [febf::1] [ff02::1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1]
  [2002:7f00:1::] [2001::1] [2001:db8::1] [100::1] [::127.0.0.1] [::7f00:1] [64:ff9b:1::7f00:1] [3fff::1] [4000::1] [5f00::1] [fec0::1] [2001:10::1]
  １２７.０.０.１ 127。0。0。1 127%2e0%2e0%2e1 %31%32%37.0.0.1 ①②⑦.0.0.1 127.0.0.1.
`
  .trim()
  .split(/\s+/);

/** Spellings of host names that resolve inside of a private network. */
const PRIVATE_NAMES = `
  localhost LOCALHOST LocalHost localhost. localhost.. foo.localhost foo.localhost. foo.localhost... localhost.localdomain printer.local
  db.internal metadata.google.internal router.lan x.home.arpa nas.home files.corp wiki.intranet
  intranet router x.private ｌｏｃａｌｈｏｓｔ %6cocalhost loc%61lhost
`
  .trim()
  .split(/\s+/);

const PUBLIC = [
  "https://example.com",
  "https://example.com/",
  "https://EXAMPLE.com:8443/hooks?a=b#c",
  "https://sub.domain.example.co.uk/",
  "https://8.8.8.8",
  "https://8.8.8.8:444/hook",
  "https://134744072/",
  "https://[2606:4700::1111]",
  "https://[2606:4700::1111]:8443/x",
  "https://[::ffff:8.8.8.8]/",
  "https://localhost.example.com/",
  "https://notlocal.com/127.0.0.1",
  "https://bücher.example/",
  "https://127.0.0.1.example.com/",
  "https://example.com/?next=http://localhost",
];

describe("webhookUrlError rejects", () => {
  test.each(PRIVATE_ADDRESSES)("the private address %s", (host) => {
    for (const rest of ["", "/", ":8443/hook"])
      expect(webhookUrlError(`https://${host}${rest}`, false)).toMatch(PRIVATE);
  });

  test.each(PRIVATE_NAMES)("the private host name %s", (host) => {
    for (const rest of ["", "/", ":8443/hook"])
      expect(webhookUrlError(`https://${host}${rest}`, false)).toMatch(PRIVATE);
  });

  test.each(["a.test", "b.invalid", "c.onion", "d.alt", "invalid.", "a.test.."])(
    "a host name that resolves nowhere: %s",
    (host) => {
      for (const rest of ["", "/", ":8443/hook"])
        expect(webhookUrlError(`https://${host}${rest}`, false)).toMatch(
          /exists in the public DNS/,
        );
    },
  );

  test.each(["example.com.", "example.com..", "example..com", ".example.com", "..", "."])(
    "a host name with an empty part or a dot at the end: %s",
    (host) => {
      for (const allowHttp of [false, true])
        expect(webhookUrlError(`https://${host}/hook`, allowHttp)).toBeDefined();
    },
  );

  test.each([
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://:password@example.com/",
    "https://example.com@evil.example.org/",
    "https://localhost:1@example.com/",
  ])("a URL with credentials: %s", (url) => {
    for (const allowHttp of [false, true])
      expect(webhookUrlError(url, allowHttp)).toBe("must not carry a user name or password");
  });

  test.each([
    "http://example.com",
    "HTTP://example.com",
    "ftp://example.com",
    "ws://example.com",
    "wss://example.com",
    "file:///etc/passwd",
    "data:text/plain,x",
    "javascript:alert(1)",
    "blob:https://example.com/x",
    "mailto:a@example.com",
    "http://localhost:9000",
    "http:/\\example.com",
  ])("a URL that is not https: %s", (url) => {
    expect(webhookUrlError(url, false)).toMatch(
      /^must begin with https:\/\/\. For local tests, .* WEBHOOK_ALLOW_HTTP:true$/,
    );
  });

  test.each(["", " ", "example.com", "/hook", "//example.com/hook", "https://", "https:// /"])(
    "a URL that is not absolute: %j",
    (url) => {
      expect(webhookUrlError(url, false)).toBe("must be an absolute URL");
    },
  );

  test.each(["https://1.2.3.4.5", "https://256.256.256.256", "https://[::1", "https://a b.com"])(
    "a URL with an invalid host: %s",
    (url) => {
      expect(webhookUrlError(url, false)).toBe("must be an absolute URL");
    },
  );

  test("a URL of more than 2,000 characters", () => {
    const longest = `https://example.com/${"x".repeat(1980)}`;
    expect(webhookUrlError(longest, false)).toBeUndefined();
    expect(webhookUrlError(`${longest}x`, false)).toBe("must have at most 2000 characters");
  });
});

describe("webhookUrlError accepts", () => {
  test.each(PUBLIC)("the public URL %s", (url) => {
    expect(webhookUrlError(url, false)).toBeUndefined();
    expect(webhookUrlError(url, true)).toBeUndefined();
  });
});

describe("with allowHttp, webhookUrlError accepts", () => {
  test.each([
    "http://localhost:9000",
    "http://localhost/hook",
    "http://LOCALHOST:9000/",
    "http://localhost",
    "http://127.0.0.1:9000",
    "http://127.0.0.1?a=b",
    "http://[::1]:9000",
    "http://[::1]#x",
    "http://example.com/hook",
    "http://8.8.8.8/",
  ])("the URL %s", (url) => {
    expect(webhookUrlError(url, true)).toBeUndefined();
  });
});

describe("with allowHttp, webhookUrlError still rejects", () => {
  test.each([
    "http://2130706433/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://127.0.0.2/",
    "http://0.0.0.0:9000/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://10.0.0.1",
    "http://192.168.1.1:9000",
    "http://169.254.169.254/latest/meta-data",
    "http://foo.localhost/",
    "http://localhost./",
    "http://printer.local",
    "https://127.0.0.1",
    "https://localhost",
    "https://[::1]:9000",
    "https://10.0.0.1",
  ])("the private URL %s", (url) => {
    expect(webhookUrlError(url, true)).toMatch(PRIVATE);
  });

  test.each([
    "http://localhost.example.com@10.0.0.1/",
    "http://localhost:9000@10.0.0.1/",
    "http://127.0.0.1@example.com/",
  ])("a URL whose user name looks like loopback: %s", (url) => {
    expect(webhookUrlError(url, true)).toBe("must not carry a user name or password");
  });

  test.each(["ftp://localhost", "file:///etc/passwd"])(
    "a URL that is neither http nor https: %s",
    (url) => {
      expect(webhookUrlError(url, true)).toBe("must begin with https:// or http://");
    },
  );
});
