// A replacement for curl with the options that `npm start` prints and the README uses: -f, -sS, -i,
// -X, -H and -d.
import process from "node:process";
import { parseArgs } from "node:util";

const flag = { type: "boolean" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fail: { ...flag, short: "f" },
    silent: { ...flag, short: "s" },
    "show-error": { ...flag, short: "S" },
    include: { ...flag, short: "i" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
  },
});
const response = await fetch(positionals[0], {
  method: values.request ?? (values.data === undefined ? "GET" : "POST"),
  headers: values.header.map((line) => line.split(/: (.*)/s, 2)),
  body: values.data,
});
if (values.fail && !response.ok) {
  console.error(`The response has the status ${response.status}`);
  process.exit(22);
}
if (values.include) {
  process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\r\n`);
  for (const [name, value] of response.headers) process.stdout.write(`${name}: ${value}\r\n`);
  process.stdout.write("\r\n");
}
process.stdout.write(await response.text());
