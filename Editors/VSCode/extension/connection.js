'use strict';
const { spawn } = require('child_process');

/**
 * A language server, and the JSON-RPC messages on its standard input and output. `receive` handles a method of the
 * server and returns the response to a request. `log` gets its standard error. `closed` is called once, with a reason.
 */
class Connection {
  constructor(command, args, folder, { receive, log, closed }) {
    Object.assign(this, { receive, closed, isOpen: true, pending: new Map(), lastId: 0 });
    Object.assign(this, { chunks: [], size: 0, needed: 1 });
    this.process = spawn(command, args, { cwd: folder, stdio: 'pipe' });
    this.process.on('error', (error) => this.end(error));
    this.process.on('close', (code, signal) => this.end(new Error(`The server ended with ${signal ?? code}.`)));
    this.process.stdin.on('error', () => {});
    this.process.stderr.setEncoding('utf8').on('data', log);
    this.process.stdout.on('data', (chunk) => this.add(chunk));
  }

  /** Sends a request. Resolves to its result; `undefined` if it was cancelled or the server has ended. */
  request(method, params, token) {
    if (!this.isOpen) return Promise.resolve(undefined);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const listener = token?.onCancellationRequested(() => this.send({ method: '$/cancelRequest', params: { id } }));
      this.pending.set(id, { resolve, reject, listener });
      this.send({ id, method, params });
    });
  }

  send(message) {
    if (!this.isOpen || !this.process.stdin.writable) return;
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Ends the server: by request, or after two seconds by a signal. */
  async stop() {
    if (!this.isOpen) return;
    this.closed = () => {};
    const timer = setTimeout(() => this.process.kill(), 2000);
    this.process.once('close', () => clearTimeout(timer));
    await this.request('shutdown').catch(() => {});
    this.send({ method: 'exit' });
  }

  /** Adds received bytes, and handles the messages that are complete. */
  add(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    while (this.isOpen && this.size >= this.needed) {
      const bytes = this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks);
      this.chunks = [bytes];
      const start = bytes.indexOf('\r\n\r\n') + 4;
      this.needed = this.size + 1;
      if (start < 4) return;
      const length = /^Content-Length: (\d{1,9})\r$/im.exec(bytes.toString('latin1', 0, start))?.[1];
      if (!length) return this.fail('a message without a usable length');
      this.needed = start + Number(length);
      if (this.size < this.needed) return;
      this.chunks = [bytes.subarray(this.needed)];
      this.size -= this.needed;
      let message;
      try { message = JSON.parse(bytes.toString('utf8', start, this.needed)); } catch { /* Not JSON. */ }
      if (message === null || typeof message !== 'object') return this.fail('a message that is not JSON');
      this.needed = 1;
      this.handle(message);
    }
  }

  async handle({ id, method, params, result, error }) {
    if (method !== undefined) {
      const response = {};
      try { response.result = (await this.receive(method, params)) ?? null; } catch (failure) {
        response.error = { code: -32603, message: failure.message };
      }
      return id === undefined ? undefined : this.send({ id, ...response });
    }
    const request = this.pending.get(id);
    this.pending.delete(id);
    request?.listener?.dispose();
    // Cancelled, or about a document that has changed since.
    const isOutdated = error?.code === -32800 || error?.code === -32801;
    if (error && !isOutdated) request?.reject(new Error(error.message)); else request?.resolve(result);
  }

  fail(reason) {
    this.end(new Error(`The server sent ${reason}.`));
    this.process.kill();
  }

  end(error) {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const { resolve, listener } of this.pending.values()) { listener?.dispose(); resolve(undefined); }
    this.closed(error);
  }
}

module.exports = { Connection };
