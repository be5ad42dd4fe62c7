/** Variables of Claude Code without effect here, and what to use instead. */
const UNUSED = {
  BASH_DEFAULT_TIMEOUT_MS:
    'A command ends after 120 s unless the tool call says another `timeout`.',
  BASH_MAX_TIMEOUT_MS: 'The longest `timeout` of a command is 600 s.',
} as const;

/** One line for each variable that is set and has no effect. */
export function describeUnusedVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(UNUSED).flatMap(([variable, instead]) =>
    env[variable] ? [`${variable} has no effect. ${instead}`] : [],
  );
}
