/** Facts of an event: names, numbers and outcomes, never a text of a prompt, a tool or a result. */
export type AnalyticsMetadata = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A receiver of events about sessions. Nothing is sent anywhere without one. An error that it throws affects no session:
 * the first is a warning of the process.
 */
export interface AnalyticsSink {
  /** Take an event at once. */
  logEvent(name: string, metadata: AnalyticsMetadata): void;
  /** Take an event that is sent later, such as the end of a session. `close` of the orchestrator waits up to 5 s for it. */
  logEventAsync(name: string, metadata: AnalyticsMetadata): Promise<void>;
}
