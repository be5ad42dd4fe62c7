/** For models that are not in the table. */
const DEFAULT_CONTEXT_WINDOW = 200_000;
const MILLION = 1_000_000;

/** As of 2026-10-24 (https://platform.claude.com/docs/en/build-with-claude/context-windows). */
const CONTEXT_WINDOWS: { readonly [model: string]: number } = {
  'claude-fable-5-1': MILLION,
  'claude-fable-5': MILLION,
  'claude-mythos-5-1': MILLION,
  'claude-mythos-5': MILLION,
  'claude-opus-5-5': MILLION,
  'claude-opus-5': MILLION,
  'claude-opus-4-8': MILLION,
  'claude-opus-4-7': MILLION,
  'claude-opus-4-6': MILLION,
  'claude-sonnet-5-5': MILLION,
  'claude-sonnet-5': MILLION,
  'claude-sonnet-4-6': MILLION,
  'claude-haiku-5-5': MILLION,
};

/**
 * Most tokens of a request and its reply together.
 *
 * @param model an ID, with or without the date of its snapshot.
 */
export function contextWindowOf(model: string): number {
  const id = model.replace(/-(?:\d{8}|latest)$/, '');
  const listed = Object.hasOwn(CONTEXT_WINDOWS, id) ? CONTEXT_WINDOWS[id] : undefined;
  return listed ?? DEFAULT_CONTEXT_WINDOW;
}
