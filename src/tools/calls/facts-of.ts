import type { ToolSuccess } from './tool-outcome.js';

/** The facts of a success, without those that every tool has. */
export type FactsOf<Result> = Result extends ToolSuccess ? Omit<Result, keyof ToolSuccess> : never;
