import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report, StreamFile } from './programs.ts';

/** Folder that the server hands out, and the paths in it that a page may ask for. */
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const served = /^\/(dist\/index\.js|test\/runtimes\/[\w-]+\.(mjs|html))$/;
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};

/** Below the time that vitest gives a hook: the browser must be ended, not forgotten. */
const limitMs = 25_000;

/** No sandbox, since tests may run as root; nothing that phones home; and it ends by itself when the pipe to the test breaks. */
const flags = [
  '--remote-debugging-pipe',
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'],
  ...['--disable-extensions', '--disable-default-apps', '--metrics-recording-only', '--no-pings'],
];

/** The command of an installed Chromium, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** A page to open: the name that its report goes by, and the `Content-Security-Policy` that it is served with. */
export interface Page {
  readonly name: string;
  readonly policy: string | undefined;
}

/** Opens the pages in one headless Chromium, each in a frame of its own, and resolves with what each of them reports. */
export async function reportsOfPages(
  chromium: string,
  pages: readonly Page[],
  streams: StreamFile,
): Promise<ReadonlyMap<string, Report>> {
  const reports = new Map<string, Report>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = start(chromium, `http://127.0.0.1:${port}/`, streams);
  let limit: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let complaints = '';
      browser.stderr?.on('data', (chunk: Buffer) => {
        complaints = (complaints + chunk).slice(-4000);
      });
      limit = setTimeout(() => reject(new Error(`no report after ${limitMs} ms\n${complaints}`)), limitMs);
      browser.once('error', reject);
      browser.once('exit', () => reject(new Error(`Chromium ended before its pages did\n${complaints}`)));
      server.on('request', (request, response) => {
        answer(request, response, pages, streams, (name, report) => {
          reports.set(name, report);
          if (reports.size === pages.length) resolve();
        }).catch(reject);
      });
    });
  } finally {
    clearTimeout(limit);
    await stop(browser);
    server.closeAllConnections();
    server.close();
  }
  return reports;
}

function start(chromium: string, address: string, { folder }: StreamFile): ChildProcess {
  return spawn(chromium, [...flags, `--user-data-dir=${join(folder, 'profile')}`, address], {
    // A group of its own, so that all processes of the browser can be ended together.
    detached: true,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder },
    // The last two are those of the debugging pipe.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
}

async function stop(browser: ChildProcess): Promise<void> {
  if (browser.pid === undefined || browser.exitCode !== null || browser.signalCode !== null) return;
  const ended = once(browser, 'exit');
  process.kill(-browser.pid, 'SIGKILL');
  await ended;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: readonly Page[],
  streams: StreamFile,
  take: (name: string, report: Report) => void,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const name = search.slice(1);
  if (pathname === '/report') {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    response.end();
    take(name, JSON.parse(body) as Report);
  } else if (pathname === '/') {
    response.setHeader('content-type', 'text/html');
    response.end(
      pages.map((page) => `<iframe src="/test/runtimes/page.html?${page.name}"></iframe>`).join('\n'),
    );
  } else if (pathname === '/streams.json') {
    response.end(readFileSync(streams.path));
  } else if (served.test(pathname)) {
    const policy = pages.find((page) => page.name === name)?.policy;
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', contentTypes[extname(pathname)] ?? 'application/octet-stream');
    response.end(readFileSync(join(packageFolder, pathname)));
  } else {
    response.writeHead(404).end();
  }
}
