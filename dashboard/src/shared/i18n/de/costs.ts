import type { Translated } from "../translated.ts";
import type { costs as english } from "../en/costs.ts";

export const costs = {
  title: "Was das kostet",
  description:
    "Was dieser Dienst von Cloudflares Plattform verbraucht hat, nach eigener Zählung, verglichen mit dem, was der Tarif Workers Paid im Monat enthält.",
  total: "Schätzung für die letzten {{days}} Tage, in US$",
  parts: "{{plan}} für den Tarif, {{beyond}} über die enthaltenen Mengen hinaus.",
  readAt: "Gezählt",
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
  note: "Es gilt die Rechnung von Cloudflare. Sie enthält auch CPU-Zeit, Speicher, Logs und die Zeit der Durable Objects, und alle Workers des Kontos teilen sich die enthaltenen Mengen. <prices>Preise von Cloudflare</prices>. Das <model>Modell von Last und Kosten</model> (auf Englisch) berechnet, was der Dienst für eine Zahl von SDK-Instanzen kostet.",
  off: "Es wird nichts gezählt",
  offText:
    "METRICS_FLUSH_SECONDS ist 0, daher sammelt der Dienst keine Metriken. Mit dem Wert 5 zeigt diese Seite, was von da an verbraucht wird.",
} satisfies Translated<typeof english>;
