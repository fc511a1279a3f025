import type { Texts } from "./en.ts";

export const it: Texts = {
  language: "Italiano",
  title: {
    choose: "Scelga il Suo software HR o paghe",
    signIn: "Accesso a {provider}",
    working: "Accesso a {provider} in corso",
    question: "Ancora un passaggio",
    approval: "Approvi l’accesso",
    failed: "Accesso non riuscito",
    done: "Il collegamento è attivo",
    declined: "Nessun dato è stato condiviso",
    expired: "Questa sessione di accesso è scaduta",
    used: "Questo link è già stato utilizzato",
    unknown: "Questa sessione di accesso non è più aperta",
    nowhere: "Qui non c’è nulla",
    link: "Questo link non funziona",
    forged: "Questo modulo non può essere accettato",
    tooMany: "Un momento, per favore",
    trouble: "Si è verificato un problema",
    accesses: "Applicazioni autorizzate",
    closed: "Disconnessione effettuata",
    problem: "Problema: {title}",
  },
  consent: {
    asks: "{client} utilizza Rollcall per leggere dati dal Suo software HR o paghe. Scelga quello in uso nella Sua azienda.",
    asksProvider:
      "{client} utilizza Rollcall per leggere dati da {provider}. Per autorizzare la lettura, acceda qui a {provider}.",
    asksElsewhere: "{client} utilizza Rollcall per leggere dati da {provider}.",
    asksAgain:
      "{client} Le chiede di accedere di nuovo a {provider}, per poter continuare a leggere gli stessi dati. Utilizzi lo stesso account di prima.",
    wants: "{client} chiede di leggere:",
    allows: "Con l’accesso autorizza {client} a leggere:",
    scope: "{name}: {holds}",
    details: "Dettagli",
    readOnly: "Sola lettura: nel Suo software non viene modificato nulla.",
    lacks: "{provider} non dispone di questi dati o non può fornirceli: {data}.",
    lasts: "L’autorizzazione resta valida finché Lei o {client} non la revocate.",
    returns: "Al termine tornerà a {host}.",
    returnsHere: "Al termine tornerà all’applicazione su questo computer.",
    purpose: "Finalità dichiarata da {client}: «{purpose}»",
    privacy: "Informativa sulla privacy di {client}",
    support: "Assistenza di {client}",
  },
  employeeData: {
    contact: "recapiti",
    job: "mansione",
    pay: "retribuzione",
    bank_account: "conto bancario",
    tax_id: "codice fiscale",
    date_of_birth: "data di nascita",
    nationality: "cittadinanza",
    gender: "genere",
    ethnicity: "origine etnica",
    marital_status: "stato civile",
    relatives: "familiari",
    emergency: "contatti di emergenza",
  },
  scopes: {
    company: { name: "Azienda", holds: "denominazione, codice fiscale, indirizzo" },
    employee: { name: "Singoli dipendenti" },
    employees: { name: "Dipendenti" },
    groups: { name: "Gruppi", holds: "reparti e team" },
    identity: { name: "Il Suo account", holds: "nome, indirizzo e-mail e numero di telefono" },
    payruns: { name: "Elaborazioni paghe", holds: "periodi e date di pagamento" },
    "payruns/:payrun_id": { name: "Cedolini", holds: "competenze, imposte e trattenute" },
    "time-off-balances": { name: "Saldi di ferie e permessi", holds: "giorni goduti e residui" },
    "time-off-entries": { name: "Assenze", holds: "ferie, malattia e altri permessi" },
    timesheets: { name: "Presenze", holds: "ore lavorate" },
    "work-locations": { name: "Sedi di lavoro", holds: "nomi e indirizzi" },
  },
  test: {
    band: "Test: nessun dato reale",
    refused: "user_bad_password viene sempre rifiutato; provi con user_good.",
    otp: "Nella sandbox il codice è 123456.",
  },
  choose: {
    search: "Cerchi il Suo software",
    submit: "Cerca",
    none: "Nessun risultato per «{search}». Controlli l’ortografia o segnali a {client} che il Suo software manca.",
    nothing: "Non ci sono software tra cui scegliere. Contatti {client}.",
    count: { one: "1 software", other: "{count} software" },
  },
  form: {
    submit: "Accedi e collega",
    answer: "Continua",
    decline: "Annulla e torna a {client}",
    other: "Scegli un altro software",
    show: "Mostra",
    hide: "Nascondi",
    otpWhy: "{provider} deve verificare la Sua identità.",
    askWhy: "{provider} ha bisogno di un’altra informazione.",
    again:
      "Non è stato trasmesso nulla: la pagina è rimasta aperta troppo a lungo oppure il browser non ha inviato un cookie insieme al modulo. Compili di nuovo il modulo. Se questo messaggio compare due volte, consenta i cookie per questa pagina.",
    wrongAnswer: "{provider} non ha accettato questa risposta. Riprovi.",
    guide: "Come collegare {provider}",
    found: "Il Suo {system} è stato trovato: {address}.",
    settings: "Impostazioni che può lasciare così",
    otherAddress: "Modifica l’indirizzo",
    where: "Dove trovarlo",
    newTab: "si apre in una nuova scheda",
    secret: {
      passed: "Rollcall trasmette questo dato a {provider} una sola volta e non lo conserva.",
      kept: "Rollcall conserva questo dato in forma cifrata e lo invia a {provider} a ogni richiesta.",
      simulated:
        "{provider} non è un software reale: questo dato non viene né trasmesso né conservato.",
    },
    unseen: "{client} non lo vede mai.",
  },
  recipe: {
    share: "Questa spiegazione come pagina da inviare a un collega",
    shared:
      "Questa pagina è per chi ha la chiave o la password di {provider}. Vanno inserite solo nella pagina di accesso: non le invii per e-mail o chat. Chi Le ha inviato questa pagina può aprire l’accesso insieme a Lei.",
    rights: "Quali autorizzazioni scegliere",
    ending: "Come revocare l’accesso in {provider} in seguito",
    drawn: "I disegni sono semplificati. Il Suo {provider} può avere un aspetto diverso.",
    drawing: "Disegno. Evidenziato: {label}.",
  },
  elsewhere: {
    submit: "Continua su {provider}",
    text: "L’accesso e l’autorizzazione avvengono sulla pagina di {provider}. Poi tornerà qui.",
    working: "Rollcall sta completando l’accesso a {provider}. Di solito bastano pochi secondi.",
  },
  kept: {
    title: "Quali dati conserviamo, per quanto tempo e come revocare l’accesso",
    session:
      "La Sua password viene usata una sola volta, per l’accesso, e non viene conservata. Rollcall conserva in forma cifrata la sessione che {provider} apre in cambio, insieme al nome, all’indirizzo e-mail e al numero di telefono dell’account.",
    secret:
      "Rollcall conserva in forma cifrata la chiave inserita, perché {provider} la richiede a ogni richiesta, insieme al nome, all’indirizzo e-mail e al numero di telefono dell’account.",
    grant:
      "L’accesso avviene su {provider} e Rollcall non vede mai la Sua password. Rollcall conserva in forma cifrata l’autorizzazione concessa da {provider}, insieme al nome, all’indirizzo e-mail e al numero di telefono dell’account.",
    settings:
      "Quanto sceglie alla voce «{fields}» viene conservato in forma cifrata finché dura il collegamento.",
    data: "I dati letti da {client} vengono conservati in forma cifrata fino a 14 giorni dopo il recupero. Se {client} riceve notifiche delle modifiche, l’ultimo elenco dei dipendenti viene conservato per il confronto finché dura il collegamento.",
    end: "Per interrompere il collegamento si rivolga a {client}: l’accesso cessa subito e la sessione e i dati vengono cancellati qui. Di norma anche cambiare la password o revocare la chiave su {provider} fa cessare l’accesso.",
    after: "Dei dati già letti è responsabile {client}.",
  },
  working: {
    text: "{provider} sta verificando i dati inseriti. Di solito bastano pochi secondi, raramente serve più di un minuto.",
    stay: "Non deve fare nulla: la pagina prosegue automaticamente. Fino ad allora nulla viene condiviso con {client}.",
    refresh: "Verifica ora",
  },
  approval: {
    stay: "Dopo la Sua approvazione la pagina prosegue automaticamente; può volerci mezzo minuto. Fino ad allora nulla viene condiviso con {client}.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} non ha accettato queste credenziali ({fields}). Controlli i dati inseriti e riprovi. Se ha smarrito la password o la chiave, la reimposti prima su {provider}.",
    incorrect_mfa_or_otp: "Questo codice è errato o scaduto. Ne inserisca uno nuovo.",
    reauthentication_required:
      "{provider} ha chiuso la sessione subito dopo l’accesso. Acceda di nuovo.",
    additional_account_setup_required:
      "{provider} richiede prima un altro passaggio, ad esempio una nuova password. Acceda a {provider} in un’altra scheda, segua le istruzioni e poi riprovi qui.",
    captcha_challenge:
      "{provider} chiede di dimostrare di non essere un robot, e qui non è possibile farlo. Acceda una volta a {provider} in un’altra scheda, attenda qualche minuto e poi riprovi qui.",
    insufficient_permission:
      "L’accesso è riuscito, ma questo account non è autorizzato a leggere tutto ciò che {client} richiede. Acceda con un account amministratore o chieda al Suo amministratore di {provider} di concedere a questo account le autorizzazioni necessarie.",
  },
  problems: {
    choice: "Scelga una delle opzioni.",
    "other-account":
      "Ha effettuato l’accesso con un account {provider} diverso da quello collegato a {client}. Acceda con quell’account.",
    unapproved:
      "L’accesso non è stato approvato. Acceda di nuovo e lo approvi quando {provider} lo richiede.",
    throttled:
      "In un’ora sono falliti troppi accessi a questo account, perciò i dati inseriti non sono stati trasmessi a {provider}. Un browser o una rete da cui questo account è già stato collegato dispone di tentativi propri, e così un link personale, che l’applicazione può inviarLe. Se non ha nulla di tutto ciò, o se i tentativi sono esauriti, riprovi tra un’ora.",
    unavailable:
      "{provider} non è raggiungibile o è sovraccarico. I dati inseriti non ne sono la causa. Riprovi tra qualche minuto.",
    unsupported:
      "{provider} non offre ciò che serve per questo collegamento. Annulli e contatti {client}.",
    broken:
      "{provider} ha dato una risposta imprevista. Riprovi. Se succede di nuovo, contatti {client}.",
    interrupted:
      "L’accesso è stato interrotto prima della risposta di {provider}. Acceda di nuovo.",
  },
  failed: {
    text: "{provider} ha rifiutato l’accesso troppe volte: questo tentativo è terminato e nulla è stato condiviso. Torni a {client} e ricominci quando avrà le credenziali corrette.",
    back: "Torna a {client}",
  },
  done: {
    text: "Il collegamento tra {client} e {provider} è attivo. Può chiudere questa pagina e continuare in {client}.",
    declined:
      "Ha annullato l’accesso. {client} non ha ottenuto alcuna autorizzazione e i dati inseriti sono stati cancellati. Può chiudere questa pagina o ricominciare da {client}.",
    declinedAgain:
      "Ha annullato l’accesso e i dati inseriti sono stati cancellati. Il collegamento tra {client} e {provider} resta invariato. Può chiudere questa pagina o ricominciare da {client}.",
  },
  handover: {
    offer: "Invia a un collega",
    title: "Un collega accede per Lei",
    how: "Invii questo link alla persona che ha le credenziali. Vale per una sola persona e per 60 minuti.",
    link: "Link per il collega",
    mail: "Scrivi un’e-mail con il link",
    mailSubject: "Richiesta di accesso per {client}",
    tell: "Comunichi poi queste sei cifre per telefono o di persona, non nello stesso messaggio:",
    waiting:
      "Nessuno lo ha ancora aperto con le cifre. Lasci aperta questa pagina: prosegue automaticamente.",
    helping:
      "Accesso in corso da parte del collega. Lasci aperta questa pagina: prosegue automaticamente.",
    back: "Accedi personalmente",
    asked: "Le viene chiesto di accedere",
    asksProvider:
      "{client} chiede di leggere dati da {provider}. Chi Le ha inviato questo link Le chiede di accedere.",
    asksAny:
      "{client} chiede di leggere dati dal Suo software HR o paghe. Chi Le ha inviato questo link Le chiede di accedere.",
    digits: "Sei cifre",
    help: "Chi Le ha inviato il link le vede sulla propria pagina e Gliele comunica per telefono o di persona. Se non sa chi sia, chiuda questa pagina.",
    wrong: "Queste cifre non sono corrette. Chieda a chi Le ha inviato il link.",
    thanks: "Grazie",
    done: "L’accesso a {provider} è riuscito. {client} continua nel browser di chi Le ha chiesto di accedere. Può chiudere questa pagina.",
    stopped:
      "Questa sessione di accesso è terminata e nulla è stato condiviso. Chi Le ha chiesto di accedere può inviarLe un nuovo link.",
  },
  accesses: {
    choose:
      "Qui può vedere quali applicazioni leggono dati dal Suo account HR o paghe tramite Rollcall e revocarne l’accesso. Scelga prima il software a cui appartiene l’account.",
    noneFound: "Nessun risultato per «{search}». Controlli l’ortografia.",
    nothing: "Qui non è possibile accedere ad alcun software.",
    asks: "Acceda a {provider} per vedere quali applicazioni possono leggere dati da questo account e per revocarne l’accesso. Utilizzi l’account con cui le ha collegate. Con questo accesso non viene condiviso nulla.",
    submit: "Accedi",
    cancel: "Annulla",
    stay: "Non deve fare nulla: la pagina prosegue automaticamente.",
    list: "Queste applicazioni possono leggere dati dal Suo account {provider} tramite Rollcall:",
    still: "Queste applicazioni hanno ancora accesso al Suo account {provider}:",
    none: "Nessuna applicazione può leggere dati da questo account {provider} tramite Rollcall.",
    since: "Inizio dell’accesso: {date}",
    reads: "Dati letti: {scopes}",
    end: "Revoca l’accesso",
    endOf: "di {client}",
    settings: "Impostazioni",
    settingsWhy:
      "Queste impostazioni determinano come {client} legge i Suoi dati. Una modifica vale dal prossimo recupero, senza un nuovo accesso.",
    save: "Salva",
    saved: "Le impostazioni sono state salvate.",
    endTitle: "Revocare l’accesso di {client}?",
    stops:
      "Dopo, {client} non potrà più leggere nulla dal Suo account {provider}. L’accesso cessa subito e la sessione e i dati conservati qui vengono cancellati. Dei dati già letti è responsabile {client}. Per collegarsi di nuovo, inizi da {client}.",
    othersStay: "Accessi che restano attivi: {clients}.",
    keep: "Mantieni l’accesso",
    ended: "L’accesso è stato revocato.",
    ends: "La revoca ha effetto immediato: la sessione e i dati conservati qui vengono cancellati. Ogni applicazione è responsabile dei dati che ha già letto.",
    missing:
      "Ne manca una? Gli accessi concessi con un altro account o un’altra chiave non compaiono qui, né quelli precedenti all’esistenza di questa pagina. In tal caso chieda all’applicazione di interrompere il collegamento.",
    signOut: "Esci",
    closed: "Questo browser non ha più accesso a questa pagina.",
    again: "Accedi di nuovo",
    failed: "{provider} ha rifiutato l’accesso troppe volte: questo tentativo è terminato.",
    link: "Vedi e revoca gli accessi",
    kept: "Può anche revocare l’accesso autonomamente, in qualsiasi momento:",
  },
  errors: {
    expired:
      "Per la Sua sicurezza una sessione di accesso resta aperta solo per un tempo limitato. Torni all’applicazione da cui ha aperto questa pagina e ricominci.",
    used: "Un link funziona una sola volta, in un solo browser. Se ha già iniziato l’accesso, continui nel browser in cui lo ha iniziato. Altrimenti torni all’applicazione da cui ha aperto questa pagina e richieda un nuovo link.",
    unknown:
      "La sessione è terminata o scaduta, oppure è stata avviata in un altro browser. Torni all’applicazione da cui ha aperto questa pagina e ricominci. Se arriva di nuovo a questa pagina, verifichi che il browser consenta i cookie per essa.",
    nowhere:
      "A questo indirizzo non c’è alcuna pagina. Controlli l’ortografia o torni alla pagina precedente.",
    home: "Vai alla pagina iniziale",
    link: "Il link è incompleto o errato. Nulla è stato condiviso. Torni all’applicazione da cui ha aperto questa pagina e riprovi. Se succede di nuovo, contatti l’assistenza dell’applicazione.",
    detail: "Per gli sviluppatori dell’applicazione:",
    clientUnknown: "client_id è sconosciuto.",
    redirectUnknown:
      "redirect_uri non corrisponde esattamente a nessuno degli indirizzi registrati del client. Cause frequenti: una barra alla fine, http invece di https, localhost invece di 127.0.0.1.",
    repeated: "client_id o redirect_uri manca o compare più volte.",
    forged:
      "Non è stato inviato da questa pagina così come Le è stata mostrata. Nulla è stato trasmesso al Suo software.",
    tooMany: "Dalla Sua rete sono arrivate troppe richieste. Attenda un minuto e poi riprovi.",
    unavailable: "La pagina di accesso al momento non può essere mostrata. Riprovi tra un minuto.",
    server:
      "L’errore è nostro. Riprovi tra un minuto. Se succede di nuovo, contatti l’assistenza dell’applicazione da cui ha aperto questa pagina.",
    reference: "Se chiede assistenza, indichi questo riferimento: {reference}",
    again: "Riprova",
    reopen: "Riapri la pagina di accesso",
  },
  footer: {
    about: "Rollcall collega le applicazioni ai software HR e paghe, in sola lettura.",
    operator: "Gestito da {operator}",
    language: "Lingua",
    privacy: "Privacy",
    imprint: "Note legali",
    support: "Assistenza",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Questo indirizzo non esiste. Controlli l’ortografia.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "Non è stato possibile cercare questo indirizzo. Controlli l’ortografia o riprovi tra qualche minuto.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Questo indirizzo non risponde. Controlli l’ortografia e, se indicata, la porta.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Da questo indirizzo non è arrivata risposta in tempo. Verifichi che sia raggiungibile da Internet o riprovi tra qualche minuto.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "Il certificato di questo indirizzo non è valido, perciò non vi è stato inviato nulla. Controlli l’ortografia dell’indirizzo.",
    "Something else answers at this address. Please check it.":
      "A questo indirizzo risponde un altro sistema. Controlli l’indirizzo.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Questo indirizzo rimanda a un altro. Inserisca quello che il browser mostra quando usa il software.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "Il server a questo indirizzo al momento non funziona. Controlli l’indirizzo o riprovi tra qualche minuto.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "A questo indirizzo non è stato trovato nulla che si possa collegare. Lo controlli o chieda al Suo amministratore.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Dalla Sua rete sono stati provati troppi indirizzi in un’ora. Riprovi tra un’ora.",
    "Please fill in this field.": "Compili questo campo.",
    "Please choose one of these.": "Scelga una delle opzioni.",
    "Please type less in this field.": "Inserisca un testo più breve in questo campo.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Questo indirizzo non può essere utilizzato. Deve essere pubblico e iniziare con https.",
    "User name": "Nome utente",
    Password: "Password",
    "API key": "Chiave API",
    Email: "Indirizzo e-mail",
    "Six-digit code from your authenticator app":
      "Codice a sei cifre della Sua app di autenticazione",
  },
};
