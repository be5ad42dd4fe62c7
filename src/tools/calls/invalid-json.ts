/** Describe an input that is not a JSON object, for the model. */
export function describeInvalidJson(toolName: string, why: string): string {
  return `${toolName}: the input is not a JSON object: ${why}. Send one complete JSON object.`;
}
