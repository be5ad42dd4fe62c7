import type { HookOutput } from '../../extensions/hooks/hook-output.js';

/** The output of one hook. */
export type SaidByHook = {
  readonly name: string;
  readonly source: string | undefined;
  readonly output: HookOutput;
};

/** The merged output of all hooks of an event. */
export type HookVerdict = {
  /** Objections, in words for the model. */
  readonly objections: readonly string[];
  /** Texts that the hooks add for the model. */
  readonly context: readonly string[];
  /** Why the turn ends, if a hook ends it. */
  readonly stops: string | undefined;
  /** Prompts for the main agent. */
  readonly prompts: readonly string[];
};

/** Every objection counts, and every text. */
export function mergeVerdict(said: readonly SaidByHook[]): HookVerdict {
  const stopping = said.find(({ output }) => output.continue === false);
  return {
    objections: said.flatMap(({ name, output }) =>
      output.decision === 'block' ? [`The hook ${name} objects${colon(output.reason)}`] : [],
    ),
    context: said.flatMap(contextOf),
    prompts: said.flatMap(({ output }) => filledText(output, 'initialUserMessage')),
    stops:
      stopping &&
      `The hook ${stopping.name} ended the turn${colon(stopping.output.stopReason ?? stopping.output.reason)}`,
  };
}

/** The text of one hook for the model. */
export function contextOf({ name, output }: SaidByHook): readonly string[] {
  return filledText(output, 'additionalContext').map((text) => `The hook ${name} adds: ${text}`);
}

function filledText({ hookSpecificOutput }: HookOutput, field: string): readonly string[] {
  const text = hookSpecificOutput?.[field];
  return typeof text === 'string' && text.trim() !== '' ? [text] : [];
}

export function colon(why: string | undefined): string {
  return why === undefined || why.trim() === '' ? '.' : `: ${why.trim()}`;
}
