const origin = "https://api.staffdir.example";

/**
 * One request to StaffDir, with its refusals told as errors of the contract. The client of Rollcall throws for 429
 * and for errors of the server by itself.
 * @param {import("@rollcall/provider").Kit} kit
 * @param {import("@rollcall/provider").ProviderContext} context
 * @param {{ company: string, token?: string }} session
 * @param {Omit<import("@rollcall/provider").ProviderRequest, "url"> & { path: string }} request
 * @returns {Promise<any>}
 */
export async function askStaffDir(kit, context, { company, token }, { path, ...request }) {
  const client = context.http(origin, { draws: { requests: company } });
  const { status, json } = await client.request({
    ...request,
    url: origin + path,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  if (status === 200) return json();
  if (status === 403) throw new kit.AuthError("insufficient_permission");
  if (status === 401) {
    const { error } = /** @type {{ error: string }} */ (json());
    throw new kit.AuthError(refusals[error] ?? "reauthentication_required");
  }
  if (status === 404) throw new kit.OperationNotSupported("StaffDir does not have it");
  throw new kit.ProviderBug(`StaffDir answered with ${status}`);
}

/** @type {Record<string, import("@rollcall/provider").AuthErrorCode>} */
const refusals = {
  wrong_password: "incorrect_username_or_password",
  wrong_code: "incorrect_mfa_or_otp",
  session_ended: "reauthentication_required",
};
