/**
 * The first pattern that matches wins, because many browsers also name the ones they are compatible
 * with.
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
   * Such as `Firefox`. For a client that is not a browser, the first word of the header, such as
   * `curl`.
   */
  readonly program: string | undefined;
  readonly system: string | undefined;
  readonly isMobile: boolean;
}

/** Reads the program and the operating system from a `User-Agent` header. */
export function parseUserAgent(userAgent: string | null): Device {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  return {
    program: nameIn(BROWSERS) ?? /^(?!Mozilla)[\w.-]+/.exec(userAgent ?? "")?.[0],
    system: nameIn(SYSTEMS),
    isMobile: /iPhone|iPad|Android/.test(userAgent ?? ""),
  };
}
