/** Each as it calls itself; the first that fits, because many also name those that they resemble. */
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
  /** Such as `Firefox`; for what is no browser its first word, such as `curl`. */
  readonly program: string | undefined;
  readonly system: string | undefined;
  readonly isMobile: boolean;
}

/** In short, from the header `User-Agent`. */
export function parseUserAgent(userAgent: string | null): Device {
  const known = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  return {
    program: known(BROWSERS) ?? /^(?!Mozilla)[\w.-]+/.exec(userAgent ?? "")?.[0],
    system: known(SYSTEMS),
    isMobile: /iPhone|iPad|Android/.test(userAgent ?? ""),
  };
}
