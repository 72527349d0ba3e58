import type { Translated } from "../translated.ts";
import type { costs as english } from "../en/costs.ts";

export const costs = {
  title: "Kosten",
  description:
    "Verbrauch auf Cloudflares Plattform nach eigener Zählung, verglichen mit den monatlich in Workers Paid enthaltenen Mengen.",
  total: "Schätzung für die letzten {{days}} Tage, in US$",
  parts: "{{plan}} für den Tarif, {{beyond}} für Verbrauch über die enthaltenen Mengen hinaus.",
  readAt: "Aktualisiert",
  counters: "Verbrauchte und enthaltene Mengen",
  names: {
    workerRequests: "Worker-Anfragen",
    d1RowsRead: "Gelesene Datenbankzeilen",
    d1RowsWritten: "Geschriebene Datenbankzeilen",
    kvReads: "KV: gelesen",
    kvWrites: "KV: geschrieben",
    kvDeletes: "KV: gelöscht",
    queueOperations: "Queue-Operationen",
    objectRequests: "Anfragen an Durable Objects",
    objectRowsWritten: "Geschriebene Zeilen in Durable Objects",
  },
  used: {
    requests: "{{amount}} von {{included}} enthaltenen Anfragen ({{share}})",
    rows: "{{amount}} von {{included}} enthaltenen Zeilen ({{share}})",
    keys: "{{amount}} von {{included}} enthaltenen Schlüsseln ({{share}})",
    operations: "{{amount}} von {{included}} enthaltenen Operationen ({{share}})",
  },
  price: "{{usd}} für je weitere {{unit}}",
  since: "gezählt seit {{date}}",
  note: "Maßgeblich ist die Rechnung von Cloudflare. Sie enthält auch CPU-Zeit, Speicher, Logs und Laufzeit von Durable Objects, und alle Workers des Kontos teilen sich die enthaltenen Mengen. Siehe <prices>Preise von Cloudflare</prices>. Das <model>Modell von Last und Kosten</model> (auf Englisch) schätzt die Kosten für eine Zahl von SDK-Instanzen.",
  off: "Metriken sind ausgeschaltet",
  offText:
    "METRICS_FLUSH_SECONDS ist 0, daher sammelt der Dienst keine Metriken. Mit dem Wert 5 zählt er den Verbrauch ab dann.",
} satisfies Translated<typeof english>;
