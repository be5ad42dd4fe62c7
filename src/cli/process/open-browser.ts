import { spawn } from 'node:child_process';

/** The program that opens an address on this desktop; undefined without a desktop, or if nobody is at the terminal. */
export function browserOf({
  env,
  platform,
  isTerminal,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly isTerminal: boolean;
}): string | undefined {
  const isRemote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
  if (!isTerminal || isRemote) return undefined;
  if (env['BROWSER']) return env['BROWSER'];
  if (platform === 'darwin') return 'open';
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined;
}

/** Open an address. The address is printed too, so a browser that cannot be started is no error. */
export function openBrowser(browser: string, address: string): void {
  const child = spawn(browser, [address], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
