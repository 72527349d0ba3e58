import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseOptions } from "../../scripts/lib/options.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { readOrMakeSecrets } from "../../scripts/lib/secrets.ts";

it("npm start passes a default port and directory to wrangler", () => {
  const options = parseOptions([]);
  expect(options).toMatchObject({ port: 8787, address: "http://localhost:8787", vars: {} });
  const state = path.join(ROOT, ".wrangler", "state");
  expect(options.wranglerArgs).toEqual(["--port", "8787", "--persist-to", state]);
});

it("npm start accepts option values after a space or an equals sign, and passes all options to wrangler", () => {
  const given = [
    "--port=9000",
    "--persist-to",
    "elsewhere",
    "--var",
    "A:b:c",
    "D:",
    "--log-level=warn",
  ];
  expect(parseOptions(["--", ...given])).toEqual({
    port: 9000,
    address: "http://localhost:9000",
    persistTo: path.join(ROOT, "elsewhere"),
    vars: { A: "b:c", D: "" },
    wranglerArgs: given,
  });
});

it.each([
  [["--ip", "0.0.0.0"], "http://localhost:8787"],
  [["--ip=192.0.2.7"], "http://192.0.2.7:8787"],
  [["--ip", "::1", "--port", "80"], "http://[::1]:80"],
  [["--local-protocol", "https"], "https://localhost:8787"],
])("npm start derives a reachable address from the options %j", (args, address) => {
  expect(parseOptions(args).address).toBe(address);
});

it.each(["0", "65536", "http", "80.5", ""])("npm start rejects %j as a port", (port) => {
  expect(() => parseOptions([`--port=${port}`])).toThrow("--port");
});

it("npm start generates secrets only once, in a file that only its owner can read", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "secrets-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  const file = path.join(directory, ".dev.vars");
  const secrets = readOrMakeSecrets(file);
  const text = readFileSync(file, "utf8");
  expect(secrets).toEqual({
    SERVICE_JWT_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    SERVICE_ENCRYPTION_KEY: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) as unknown,
    BOOTSTRAP_ADMIN_EMAIL: "admin@example.com",
    BOOTSTRAP_ADMIN_PASSWORD: expect.stringMatching(/^([a-z]+-){4}\d{4}$/) as unknown,
  });
  expect(statSync(file).mode.toString(8)).toMatch(/600$/);
  expect(readOrMakeSecrets(file)).toEqual(secrets);
  expect(readFileSync(file, "utf8")).toBe(text);
});
