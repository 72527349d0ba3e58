/** The texts about who gets a flag: servers and browsers, or only servers. */
export const clients = {
  label: "Who gets the flag",
  newFlags: "Who gets new flags",
  all: "Servers and browsers",
  server: "Servers only",
  means: {
    all: "Everybody who opens your web page or app can see the key and the value of the flag.",
    server:
      "For browsers and apps, the flag does not exist: they see neither its key nor its values.",
  },
  publishTitle: "Show “{{flag}}” to browsers?",
  publishText:
    "The key “{{flag}}”, the values that it serves and who gets them become public in: {{environments}}",
  publish: "Make {{flag}} public",
  hideTitle: "Hide “{{flag}}” from browsers?",
  hideText_zero:
    "Browsers use the default in their code from now on. Nobody checked the flag in the last 24 hours in: {{environments}}",
  hideText_one:
    "Browsers use the default in their code from now on. In the last 24 hours, servers and browsers checked the flag {{count}} time in: {{environments}}",
  hideText_other:
    "Browsers use the default in their code from now on. In the last 24 hours, servers and browsers checked the flag {{count, number}} times in: {{environments}}",
  hide: "Hide {{flag}}",
  notForBrowsers: "Browsers do not get this flag.",
  seenThrough: "Browsers can see from this flag whether {{flag}} is on.",
} as const;
