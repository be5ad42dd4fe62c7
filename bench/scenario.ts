/** The part of the fake API in one conversation; its first user message says so, as JSON. */
export type Scenario =
  /** `uses` of `Echo` in each turn, one if absent, with results of `resultChars`; then a text. */
  | {
      readonly kind: 'echoes';
      readonly turns: number;
      readonly uses?: number;
      readonly resultChars?: number;
      /** Until each reply begins. */
      readonly firstTokenMs?: number;
    }
  /** One reply with a `Wait` for each of `waitsMs`, whose blocks arrive `gapMs` apart, then a text. */
  | { readonly kind: 'waits'; readonly waitsMs: readonly number[]; readonly gapMs: number }
  /** One reply with so many sub-agents, each of which has a conversation of `turns` echoes; then a text. */
  | {
      readonly kind: 'sub-agents';
      readonly count: number;
      readonly turns: number;
      readonly firstTokenMs: number;
    };

/** The values that both subjects send with every request, so that they differ in nothing but the loop. */
export const MODEL = 'claude-sonnet-5';
export const MAX_TOKENS = 32_000;
export const SYSTEM = 'You are measured. Call one tool at a time until you are done.';

/** Reads the scenario out of a first user message; undefined for any other text. */
export function readScenario(text: string): Scenario | undefined {
  return text.startsWith('{') ? (JSON.parse(text) as Scenario) : undefined; // written by a row of ours
}
