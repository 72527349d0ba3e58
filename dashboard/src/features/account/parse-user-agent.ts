/**
 * Patterns of browsers in a `User-Agent` header, with the name of each browser. The first match
 * counts, because many browsers also name the browsers that they are compatible with.
 */
const BROWSERS = [
  [/Edg\w*\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom\w+\/|CriOS\//, "Chrome"],
  [/Version\/.+ Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh/, "macOS"],
  [/Linux/, "Linux"],
] as const;

interface Device {
  /**
   * The name of the browser, such as `Firefox`. For other clients, the first word of the header,
   * such as `curl`. Undefined if this word is `Mozilla`, which says nothing about the client.
   */
  readonly program: string | undefined;
  readonly system: string | undefined;
  readonly isMobile: boolean;
}

/**
 * Parses a `User-Agent` header: which browser (or other program) and operating system it names, and
 * whether the device is a phone or tablet. A name that is not recognised is undefined.
 */
export function parseUserAgent(userAgent: string | null): Device {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  return {
    program: nameIn(BROWSERS) ?? /^(?!Mozilla)[\w.-]+/.exec(userAgent ?? "")?.[0],
    system: nameIn(SYSTEMS),
    isMobile: /iPhone|iPad|Android/.test(userAgent ?? ""),
  };
}
