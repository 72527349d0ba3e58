/** An e-mail with a text and an HTML part. The address in `to` is plain: `name@domain`. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Sends e-mails. An error of the e-mail provider is thrown to the caller, who decides whether the
 * error matters.
 */
export interface Mailer {
  /** `traceId` is the trace id of the request or of the webhook delivery that caused the e-mail. */
  send(mail: Mail, traceId: string): Promise<void>;
}
