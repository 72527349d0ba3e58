import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEPLOY_HELP } from "../../scripts/lib/deploy-help.ts";
import { attempt } from "../../scripts/lib/processes.ts";
import { assertPublicUrl } from "../../scripts/lib/required-variables.ts";
import { readOptions } from "../../scripts/lib/target.ts";

describe("npm run deploy", () => {
  it("rejects an environment that wrangler.toml does not have", () => {
    expect(() => readOptions(["--", "--env", "stagin"])).toThrow(
      "no environment stagin, only staging and production",
    );
  });

  it("prints with --help what it creates, needs and costs, and how to go back, and does nothing else", async () => {
    const { code, output, errors } = await attempt({
      script: "../scripts/deploy.ts",
      args: ["--env", "production", "--help"],
    });
    expect([code, errors]).toEqual([0, ""]);
    for (const part of ["creates", "D1: Edit", "Paid plan", "5 US dollars", "wrangler rollback"])
      expect(output).toContain(part);
  });

  it("needs the permissions of an API token that docs/run/operations.md lists, and no others", () => {
    const permissions = (text: string) =>
      [...text.matchAll(/(?<=^ *|, |\| )([A-Z][\w ]+: (?:Edit|Read))\b/gm)].map(([one]) => one);
    const document = readFileSync("docs/run/operations.md", "utf8");
    const table = document.slice(document.indexOf("`CLOUDFLARE_API_TOKEN` needs"));
    const help = DEPLOY_HELP.replaceAll(/^ +(?:Account|Zone|User) {2,}/gm, "");
    expect(permissions(help)).toHaveLength(8);
    expect(permissions(table)).toEqual(permissions(help));
  });

  it.each([
    ["missing", []],
    ["plain http", ["--var", "PUBLIC_URL:http://flags.example.com"]],
    ["not a URL", ["--var", "PUBLIC_URL:flags"]],
  ])("fails while PUBLIC_URL is %s, and says where to set it", (_, given) => {
    const options = readOptions(["--env", "production", ...given]);
    expect(() => assertPublicUrl(options)).toThrow(
      /\[env\.production\.vars\]\n {2}PUBLIC_URL = "https:/,
    );
  });

  it("accepts PUBLIC_URL as an https URL", () => {
    const given = ["--env", "production", "--var", "PUBLIC_URL:https://flags.example.com"];
    expect(() => assertPublicUrl(readOptions(given))).not.toThrow();
  });
});
