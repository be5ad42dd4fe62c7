/** The colors that definitions of agents may name. */
export const AGENT_COLORS = {
  red: '\u001b[31m',
  blue: '\u001b[34m',
  green: '\u001b[32m',
  yellow: '\u001b[33m',
  purple: '\u001b[35m',
  orange: '\u001b[38;5;208m',
  pink: '\u001b[38;5;212m',
  cyan: '\u001b[36m',
} as const;
export type AgentColor = keyof typeof AGENT_COLORS;

export function isAgentColor(style: string): style is AgentColor {
  return Object.hasOwn(AGENT_COLORS, style);
}
