/** The client refuses a secret with a line break, in a message that has the secret. @throws the error of `refuse` */
export function requireSendable(secret: string, refuse: () => Error): void {
  // eslint-disable-next-line no-control-regex -- these are what it looks for
  if (/[\u0000-\u001f\u007f]|[^\u0000-\u00ff]/.test(secret)) throw refuse();
}
