import type { AuthErrorCode, EndpointPath } from "../../model/index.ts";

/** What a connection with the scope of the endpoint lets the client read. */
const scopes: Record<EndpointPath, { name: string; holds: string }> = {
  company: { name: "Company", holds: "name, tax number, address" },
  employee: {
    name: "Individual employees",
    holds:
      "contact details, job, pay, bank account and tax number; date of birth, nationality, gender, ethnicity and marital status; relatives and emergency contacts",
  },
  employees: {
    name: "Employees",
    holds:
      "contact details, job, pay, bank account and tax number; date of birth, nationality, gender, ethnicity and marital status; relatives and emergency contacts",
  },
  groups: { name: "Groups", holds: "departments and teams" },
  identity: { name: "Your account", holds: "your name, email address and phone number" },
  payruns: { name: "Pay runs", holds: "periods and payment dates" },
  "payruns/:payrun_id": { name: "Payslips", holds: "earnings, taxes and deductions" },
  "time-off-balances": { name: "Time off balances", holds: "days used and days left" },
  "time-off-entries": { name: "Absences", holds: "holidays, sick leave and other time off" },
  timesheets: { name: "Timesheets", holds: "hours worked" },
  "work-locations": { name: "Work locations", holds: "names and addresses" },
};

/** Why the provider refused the sign-in, and what to do. */
const refusals: Record<AuthErrorCode, string> = {
  incorrect_username_or_password:
    "{provider} did not accept these details. Check each of them and type the password or key again. If you have forgotten it, reset it at {provider} first.",
  incorrect_mfa_or_otp: "This code is wrong or has expired. Please type a new one.",
  reauthentication_required:
    "{provider} ended the session right after the sign-in. Please sign in again.",
  additional_account_setup_required:
    "{provider} wants you to finish something first, such as setting a new password. Sign in to {provider} in another tab, do what it asks for, then try again here.",
  captcha_challenge:
    "{provider} wants proof that a person is signing in (a captcha), which cannot be given from here. Sign in to {provider} once in another tab, wait a few minutes, then try again here.",
  insufficient_permission:
    "You are signed in, but this account may not read everything that is asked for. Sign in with an administrator’s account, or ask an administrator of {provider} to give this one the rights.",
};

/** Everything that an end user reads, in English; the other languages have the same keys. What stands in braces is filled in. */
export const en = {
  language: "English",
  title: {
    choose: "Choose your HR or payroll system",
    signIn: "Sign in to {provider}",
    working: "Signing in to {provider}",
    question: "One more step",
    approval: "Approve the sign-in",
    failed: "The sign-in did not work",
    done: "You are connected",
    declined: "Nothing was shared",
    expired: "This sign-in has expired",
    used: "This link was used before",
    unknown: "This sign-in is no longer open",
    link: "This link does not work",
    forged: "This form cannot be accepted",
    tooMany: "One moment, please",
    trouble: "Something went wrong",
    /** Of the browser's tab, when the last try came to nothing. */
    problem: "Problem: {title}",
  },
  consent: {
    asks: "{client} uses Rollcall to read data from your HR or payroll system. Choose the one that your company uses.",
    asksProvider:
      "{client} uses Rollcall to read data from {provider}. You allow this by signing in to {provider} here.",
    asksAgain:
      "{client} asks you to sign in to {provider} once more, so that it can go on reading the same data. Please use the same account as before.",
    wants: "{client} would like to read:",
    allows: "By signing in you allow {client} to read:",
    scope: "{name}: {holds}",
    readOnly: "Read access only: nothing in your system is changed.",
    lasts: "The access lasts until you or {client} end it.",
    returns: "Afterwards you return to {host}.",
    returnsHere: "Afterwards you return to the application on this computer.",
  },
  scopes,
  choose: {
    search: "Find your system",
    submit: "Search",
    none: "No system is called “{search}”. Check the spelling, or tell {client} that yours is missing.",
    nothing: "There is no system to choose from. Please tell {client}.",
    one: "1 system",
    many: "{count} systems",
  },
  form: {
    submit: "Sign in and connect",
    answer: "Continue",
    decline: "Cancel and go back",
    other: "Choose another system",
    show: "Show",
    hide: "Hide",
    otpWhy: "{provider} wants to make sure that it is you.",
    askWhy: "{provider} asks for one more thing.",
    wrongAnswer: "{provider} did not accept this answer. Please try again.",
    where: "Where to find this",
    newTab: "opens in a new tab",
    private: "What you type here goes to {provider}. {client} does not get to see it.",
  },
  kept: {
    title: "What is kept, for how long, and how to end it",
    session:
      "Your password is used once, to sign in, and is not kept. Rollcall keeps, encrypted, the session that {provider} gives in return, and the name, email address and phone number of the account.",
    secret:
      "Rollcall keeps the key that you enter encrypted, because {provider} asks for it at every request, and with it the name, email address and phone number of the account.",
    settings: "What you choose at “{fields}” is kept, encrypted, with the connection.",
    data: "Data that {client} reads is kept encrypted for up to 14 days after it was fetched. Where {client} is told about changes, the latest list of employees is kept to compare with, for as long as the connection lasts.",
    end: "To end the connection, ask {client} to disconnect: the access ends at once, and session and data are deleted here. Changing your password or revoking the key at {provider} usually ends it too.",
    after: "For the data that {client} has already read, {client} itself is responsible.",
  },
  working: {
    text: "{provider} is checking what you typed. This usually takes a few seconds and rarely more than a minute.",
    stay: "You do not have to do anything: this page goes on by itself. Until then nothing is shared with {client}.",
    refresh: "Look again now",
  },
  approval: {
    stay: "When you have approved it, this page goes on by itself, which can take half a minute. Until then nothing is shared with {client}.",
  },
  refusals,
  problems: {
    choice: "Please choose one of these.",
    unapproved:
      "The sign-in was not approved. Please sign in again and approve it when {provider} asks you to.",
    unavailable:
      "{provider} cannot be reached or is busy. Nothing is wrong with what you typed. Please try again in a few minutes.",
    unsupported:
      "{provider} does not offer what is needed for this connection. Please cancel and tell {client}.",
    broken:
      "{provider} answered in an unexpected way. Please try again; if it happens again, tell {client}.",
    interrupted: "The sign-in was cut off before {provider} answered. Please sign in again.",
  },
  failed: {
    text: "{provider} refused the sign-in too often, so this attempt has ended and nothing was shared. Go back to {client} and start again when you have the right details.",
    back: "Back to {client}",
  },
  done: {
    text: "{client} is connected to {provider}. You can close this page and go on in {client}.",
    declined:
      "You cancelled the sign-in. {client} got no access, and what you typed was deleted. You can close this page, or start again from {client}.",
    declinedAgain:
      "You cancelled the sign-in, and what you typed was deleted. The connection of {client} to {provider} is as it was before. You can close this page, or start again from {client}.",
  },
  errors: {
    expired:
      "For your safety a sign-in can be used for a limited time only. Go back to the application that sent you here and start again.",
    used: "A link works once, in one browser. If you have begun to sign in, go on in the browser where you began. Otherwise go back to the application that sent you here and ask for a new link.",
    unknown:
      "It may have ended or expired, or it was begun in another browser. Go back to the application that sent you here and start again. If you come back to this page, check that your browser allows cookies for it.",
    link: "The link is not complete or not correct. Nothing was shared. Go back to the application that sent you here and try again; if it happens again, tell its support.",
    detail: "For its developers:",
    clientUnknown: "client_id is not known.",
    redirectUnknown: "redirect_uri is not one of the client’s registered addresses, byte for byte.",
    repeated: "client_id or redirect_uri is missing, or comes more than once.",
    forged: "It did not come from this page as it was shown. Nothing was passed on to your system.",
    tooMany: "Too many requests came from your network. Please wait a minute, then try again.",
    unavailable: "The sign-in cannot be shown at the moment. Please try again in a minute.",
    server:
      "That was our mistake. Please try again in a minute; if it happens again, tell the application that sent you here.",
    again: "Try again",
    reopen: "Open the sign-in again",
  },
  footer: {
    about: "Rollcall connects applications with HR and payroll systems, for reading only.",
    language: "Language",
  },
  /** What adapters say in English, word for word. */
  adapters: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof en;
