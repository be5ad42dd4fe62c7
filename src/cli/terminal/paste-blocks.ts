/** A pasted text of several lines is one short name in the edited text until it is opened or sent. */
const NAME = /\[paste (\d+): \d+ lines\]/g;
/** Characters that move the cursor when they are drawn. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

export function withPaste(
  text: string,
  pastes: readonly string[],
): { readonly shown: string; readonly pastes: readonly string[] } {
  const clean = text.replace(CONTROL, '');
  if (!clean.includes('\n')) return { shown: clean, pastes };
  const lines = clean.replace(/\n$/, '').split('\n').length;
  return { shown: `[paste ${pastes.length + 1}: ${lines} lines]`, pastes: [...pastes, clean] };
}

export function openPastes(text: string, pastes: readonly string[]): string {
  return text.replace(NAME, (name, number: string) => pastes[Number(number) - 1] ?? name);
}
