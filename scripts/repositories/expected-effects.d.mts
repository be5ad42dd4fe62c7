export function expectedEffects(
  event: string,
  said: { readonly code: number; readonly stdout: string; readonly stderr: string },
): readonly { readonly kind: string; readonly text: string; readonly input?: unknown }[];

export function isMatched(
  matcher: string | undefined,
  input: Readonly<Record<string, unknown>>,
): boolean;
