/** The texts of the page on which a user approves a login on a device. */
export const device = {
  title: "Sign in on a device",
  intro:
    "A program on a device without a browser, such as a terminal, can get a token in your name.",
  code: "Code",
  codeHint:
    "Enter the code that the device shows, such as WDJB-MJHT, or check that it shows this one.",
  codeRule: "Enter the 8 letters that the device shows",
  continue: "Continue",
  unknown: "This code is unknown, was used or has expired. Begin again on the device.",
  asks: "{{name}} asks for a token of your account",
  from: "From {{ip}}, <time/>",
  unknownAddress: "an unknown address",
  warning: "Have you started this yourself?",
  warningText:
    "Approve only if the device in front of you shows the code <code>{{code}}</code>. If somebody has sent you this code or a link to this page, deny.",
  passwordHint: "Confirms that it is you who approves.",
  deny: "Deny",
  approve: "Approve",
  approved: "Approved",
  approvedText:
    "Go back to {{name}}, which continues within a few seconds. The token is valid for 90 days. You can revoke it on your profile page.",
  denied: "Denied",
  deniedText: "{{name}} gets no token.",
} as const;
