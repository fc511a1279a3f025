import type { Texts } from "./en.ts";

/** Of Portugal, in words that are understood in Brazil too. */
export const pt: Texts = {
  language: "Português",
  title: {
    choose: "Escolha o seu sistema de RH ou de salários",
    signIn: "Iniciar sessão em {provider}",
    working: "A iniciar sessão em {provider}",
    question: "Falta um passo",
    approval: "Aprove o início de sessão",
    failed: "O início de sessão falhou",
    done: "A ligação está feita",
    declined: "Nada foi partilhado",
    expired: "Este início de sessão expirou",
    used: "Este link já foi utilizado",
    unknown: "Este início de sessão já não está aberto",
    nowhere: "Não há nada aqui",
    link: "Este link não funciona",
    forged: "Este formulário não pode ser aceite",
    tooMany: "Um momento, por favor",
    trouble: "Ocorreu um problema",
    accesses: "Aplicações com acesso",
    closed: "A sua sessão terminou",
    problem: "Problema: {title}",
  },
  consent: {
    asks: "{client} utiliza Rollcall para ler dados do seu sistema de RH ou de salários. Escolha o sistema que a sua empresa utiliza.",
    asksProvider:
      "{client} utiliza Rollcall para ler dados de {provider}. Para o permitir, inicie aqui sessão em {provider}.",
    asksElsewhere: "{client} utiliza Rollcall para ler dados de {provider}.",
    asksAgain:
      "{client} pede-lhe que inicie de novo sessão em {provider}, para poder continuar a ler os mesmos dados. Utilize a mesma conta que antes.",
    wants: "{client} pretende ler:",
    allows: "Ao iniciar sessão, permite que {client} leia:",
    scope: "{name}: {holds}",
    details: "Detalhes",
    readOnly: "Apenas leitura: nada é alterado no seu sistema.",
    lacks: "{provider} não tem estes dados ou não nos pode fornecê-los: {data}.",
    lasts: "O acesso mantém-se até que o termine, ou até que {client} o faça.",
    returns: "No final, regressará a {host}.",
    returnsHere: "No final, regressará à aplicação neste computador.",
    purpose: "Finalidade indicada por {client}: «{purpose}»",
    privacy: "Política de privacidade de {client}",
    support: "Ajuda de {client}",
  },
  employeeData: {
    contact: "dados de contacto",
    job: "função",
    pay: "remuneração",
    bank_account: "conta bancária",
    tax_id: "número fiscal",
    date_of_birth: "data de nascimento",
    nationality: "nacionalidade",
    gender: "género",
    ethnicity: "origem étnica",
    marital_status: "estado civil",
    relatives: "familiares",
    emergency: "contactos de emergência",
  },
  scopes: {
    company: { name: "Empresa", holds: "nome, número fiscal, endereço" },
    employee: { name: "Fichas individuais de colaboradores" },
    employees: { name: "Colaboradores" },
    groups: { name: "Grupos", holds: "departamentos e equipas" },
    identity: { name: "A sua conta", holds: "o seu nome, e-mail e número de telefone" },
    payruns: { name: "Processamentos salariais", holds: "períodos e datas de pagamento" },
    "payruns/:payrun_id": {
      name: "Recibos de salário",
      holds: "vencimentos, impostos e descontos",
    },
    "time-off-balances": { name: "Saldos de férias", holds: "dias gozados e dias por gozar" },
    "time-off-entries": { name: "Ausências", holds: "férias, doença e outras ausências" },
    timesheets: { name: "Folhas de horas", holds: "horas trabalhadas" },
    "work-locations": { name: "Locais de trabalho", holds: "nomes e endereços" },
  },
  test: {
    band: "Teste: sem dados reais",
    refused: "user_bad_password é sempre recusado; experimente user_good.",
    otp: "Na sandbox, o código é 123456.",
  },
  choose: {
    search: "Procure o seu sistema",
    submit: "Procurar",
    none: "Sem resultados para «{search}». Verifique a ortografia ou avise {client} de que falta o seu sistema.",
    nothing: "Não há sistemas à escolha. Contacte {client}.",
    count: { one: "1 sistema", other: "{count} sistemas" },
  },
  form: {
    submit: "Iniciar sessão e ligar",
    answer: "Continuar",
    decline: "Cancelar e voltar a {client}",
    other: "Escolher outro sistema",
    show: "Mostrar",
    hide: "Ocultar",
    otpWhy: "{provider} quer confirmar a sua identidade.",
    askWhy: "{provider} precisa de mais uma informação.",
    again:
      "Nada foi transmitido: esta página esteve aberta demasiado tempo, ou o seu navegador não enviou um cookie com o formulário. Preencha-o de novo. Se vir esta mensagem duas vezes, permita cookies para esta página.",
    wrongAnswer: "{provider} não aceitou esta resposta. Tente de novo.",
    guide: "Como ligar {provider}",
    found: "O seu {system} foi encontrado: {address}.",
    settings: "Definições que pode deixar como estão",
    otherAddress: "Alterar o endereço",
    where: "Onde encontrar",
    newTab: "abre num novo separador",
    secret: {
      passed: "Rollcall transmite este dado a {provider} uma única vez e não o guarda.",
      kept: "Rollcall guarda este dado cifrado e envia-o a {provider} em cada pedido.",
      simulated: "{provider} não é um sistema real: este dado não é transmitido nem guardado.",
    },
    unseen: "{client} nunca o vê.",
  },
  recipe: {
    share: "Esta explicação como página que pode enviar a um colega",
    shared:
      "Esta página é para quem tem a chave ou a senha de {provider}. Só se introduzem na página de início de sessão: não as envie por e-mail nem por chat. Quem lhe enviou esta página pode abrir consigo o início de sessão.",
    rights: "Que permissões escolher",
    ending: "Como terminar o acesso em {provider} mais tarde",
    drawn: "Os desenhos são simplificados. O aspeto de {provider} pode ser diferente.",
    drawing: "Desenho. Assinalado: {label}.",
  },
  elsewhere: {
    submit: "Continuar para {provider}",
    text: "Inicia sessão na página de {provider} e aprova aí o acesso. Depois regressa aqui.",
    working:
      "Rollcall está a concluir o início de sessão em {provider}. Em geral demora alguns segundos.",
  },
  kept: {
    title: "O que guardamos, durante quanto tempo e como terminar a ligação",
    session:
      "A sua senha é utilizada uma única vez, para iniciar sessão, e não é guardada. Rollcall guarda, cifrados, a sessão que {provider} abre em troca e o nome, o e-mail e o número de telefone da conta.",
    secret:
      "Rollcall guarda cifrada a chave que introduz, porque {provider} a exige em cada pedido, bem como o nome, o e-mail e o número de telefone da conta.",
    grant:
      "Inicia sessão em {provider}, e Rollcall nunca vê a sua senha. Rollcall guarda cifrado o acesso que {provider} concede, bem como o nome, o e-mail e o número de telefone da conta.",
    settings: "O que escolher em «{fields}» é guardado cifrado enquanto a ligação existir.",
    data: "Os dados que {client} lê são guardados cifrados até 14 dias depois de serem obtidos. Se {client} receber avisos de alterações, a última lista de colaboradores é guardada para comparação enquanto a ligação existir.",
    end: "Para terminar a ligação, contacte {client}: o acesso cessa de imediato, e a sessão e os dados são eliminados aqui. Alterar a senha ou revogar a chave em {provider} também costuma terminar o acesso.",
    after: "{client} é responsável pelos dados que já leu.",
  },
  working: {
    text: "{provider} está a verificar os dados introduzidos. Em geral demora alguns segundos e raramente mais de um minuto.",
    stay: "Não precisa de fazer nada: esta página avança automaticamente. Até lá, nada é partilhado com {client}.",
    refresh: "Verificar agora",
  },
  approval: {
    stay: "Depois de aprovar o início de sessão, esta página avança automaticamente, o que pode demorar meio minuto. Até lá, nada é partilhado com {client}.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} não aceitou estas credenciais ({fields}). Verifique o que introduziu e tente de novo. Se perdeu a senha ou a chave, reponha-a primeiro em {provider}.",
    incorrect_mfa_or_otp: "Este código está errado ou expirou. Introduza um novo.",
    reauthentication_required:
      "{provider} terminou a sessão logo após o seu início. Inicie sessão de novo.",
    additional_account_setup_required:
      "{provider} exige primeiro outro passo, por exemplo uma nova senha. Inicie sessão em {provider} noutro separador, siga as instruções e depois tente de novo aqui.",
    captcha_challenge:
      "{provider} pede-lhe que prove que não é um robô, o que não é possível aqui. Inicie sessão uma vez em {provider} noutro separador, aguarde alguns minutos e depois tente de novo aqui.",
    insufficient_permission:
      "A sessão foi iniciada, mas esta conta não tem permissão para ler tudo o que {client} pede. Inicie sessão com uma conta de administrador ou peça ao administrador de {provider} que dê a esta conta as permissões necessárias.",
  },
  problems: {
    choice: "Escolha uma das opções.",
    "other-account":
      "Iniciou sessão com uma conta de {provider} diferente da que foi ligada a {client}. Inicie sessão com essa conta.",
    unapproved:
      "O início de sessão não foi aprovado. Inicie sessão de novo e aprove-o quando {provider} o pedir.",
    throttled:
      "Demasiados inícios de sessão nesta conta falharam no espaço de uma hora; por isso, o que introduziu não foi transmitido a {provider}. Um navegador ou uma rede em que esta conta já tenha sido ligada tem tentativas próprias, tal como um link pessoal, que a aplicação lhe pode enviar. Se não tem nada disto, ou se essas tentativas se esgotaram, tente de novo dentro de uma hora.",
    unavailable:
      "{provider} não responde ou está sobrecarregado. O problema não está no que introduziu. Tente de novo dentro de alguns minutos.",
    unsupported:
      "{provider} não oferece o que é necessário para esta ligação. Cancele e contacte {client}.",
    broken:
      "{provider} deu uma resposta inesperada. Tente de novo. Se voltar a acontecer, contacte {client}.",
    interrupted:
      "O início de sessão foi interrompido antes da resposta de {provider}. Inicie sessão de novo.",
  },
  failed: {
    text: "{provider} recusou o início de sessão demasiadas vezes; por isso, esta tentativa terminou e nada foi partilhado. Volte a {client} e recomece quando tiver as credenciais corretas.",
    back: "Voltar a {client}",
  },
  done: {
    text: "A ligação entre {client} e {provider} está feita. Pode fechar esta página e continuar em {client}.",
    declined:
      "Cancelou o início de sessão. {client} não obteve acesso, e os dados introduzidos foram eliminados. Pode fechar esta página ou recomeçar em {client}.",
    declinedAgain:
      "Cancelou o início de sessão, e os dados introduzidos foram eliminados. A ligação entre {client} e {provider} mantém-se inalterada. Pode fechar esta página ou recomeçar em {client}.",
  },
  handover: {
    offer: "Enviar a um colega",
    title: "Um colega inicia sessão por si",
    how: "Envie este link à pessoa que tem as credenciais. Serve para uma só pessoa e durante 60 minutos.",
    link: "Link para o seu colega",
    mail: "Escrever um e-mail com o link",
    mailSubject: "Pedido de início de sessão para {client}",
    tell: "Depois, diga-lhe estes seis algarismos por telefone ou pessoalmente, não na mesma mensagem:",
    waiting:
      "Ainda ninguém o abriu com os algarismos. Deixe esta página aberta: avança automaticamente.",
    helping:
      "O seu colega está a iniciar sessão. Deixe esta página aberta: avança automaticamente.",
    back: "Iniciar sessão eu próprio",
    asked: "Pedem-lhe que inicie sessão",
    asksProvider:
      "{client} pretende ler dados de {provider}. Quem lhe enviou este link pede-lhe que inicie sessão.",
    asksAny:
      "{client} pretende ler dados do seu sistema de RH ou de salários. Quem lhe enviou este link pede-lhe que inicie sessão.",
    digits: "Seis algarismos",
    help: "Quem lhe enviou o link vê-os na sua página e indica-os por telefone ou pessoalmente. Se não souber quem é, feche esta página.",
    wrong: "Estes algarismos não estão certos. Pergunte a quem lhe enviou o link.",
    thanks: "Obrigado",
    done: "Iniciou sessão em {provider}. {client} continua no navegador de quem lhe pediu que iniciasse sessão. Pode fechar esta página.",
    stopped:
      "Este início de sessão terminou e nada foi partilhado. Quem lhe pediu que iniciasse sessão pode enviar-lhe um novo link.",
  },
  accesses: {
    choose:
      "Aqui pode ver que aplicações leem dados da sua conta de RH ou de salários através de Rollcall e terminar o acesso delas. Escolha primeiro o sistema a que a conta pertence.",
    noneFound: "Sem resultados para «{search}». Verifique a ortografia.",
    nothing: "Não é possível iniciar aqui sessão em nenhum sistema.",
    asks: "Inicie sessão em {provider} para ver que aplicações podem ler dados desta conta e para terminar o acesso delas. Utilize a conta com que as ligou. Ao iniciar sessão aqui, nada é partilhado.",
    submit: "Iniciar sessão",
    cancel: "Cancelar",
    stay: "Não precisa de fazer nada: esta página avança automaticamente.",
    list: "Estas aplicações podem ler dados da sua conta de {provider} através de Rollcall:",
    still: "Estas aplicações continuam a ter acesso à sua conta de {provider}:",
    none: "Nenhuma aplicação pode ler dados desta conta de {provider} através de Rollcall.",
    since: "Acesso desde {date}",
    reads: "Dados lidos: {scopes}",
    end: "Terminar o acesso",
    endOf: "de {client}",
    settings: "Definições",
    settingsWhy:
      "Estas definições determinam como {client} lê os seus dados. Uma alteração vale a partir da próxima leitura, sem iniciar sessão de novo.",
    save: "Guardar",
    saved: "As definições foram guardadas.",
    endTitle: "Terminar o acesso de {client}?",
    stops:
      "Depois, {client} já não pode ler nada da sua conta de {provider}. O acesso cessa de imediato, e a sessão e os dados guardados aqui são eliminados. {client} é responsável pelos dados que já leu. Para uma nova ligação, comece em {client}.",
    othersStay: "Acessos que se mantêm: {clients}.",
    keep: "Manter o acesso",
    ended: "O acesso terminou.",
    ends: "O acesso cessa de imediato, e a sessão e os dados guardados aqui são eliminados. Cada aplicação é responsável pelos dados que já leu.",
    missing:
      "Falta alguma? Os acessos dados com outra conta ou outra chave não aparecem aqui, nem os anteriores à existência desta página. Nesse caso, peça à aplicação que termine a ligação.",
    signOut: "Terminar sessão",
    closed: "Este navegador já não tem acesso a esta página.",
    again: "Iniciar sessão de novo",
    failed:
      "{provider} recusou o início de sessão demasiadas vezes; por isso, esta tentativa terminou.",
    link: "Ver e terminar acessos",
    kept: "Também pode terminar o acesso por si, em qualquer momento:",
  },
  errors: {
    expired:
      "Para sua segurança, um início de sessão só fica aberto durante um tempo limitado. Volte à aplicação a partir da qual abriu esta página e recomece.",
    used: "Um link só funciona uma vez, num só navegador. Se já começou a iniciar sessão, continue no navegador em que começou. Caso contrário, volte à aplicação a partir da qual abriu esta página e peça um novo link.",
    unknown:
      "Terminou ou expirou, ou foi começado noutro navegador. Volte à aplicação a partir da qual abriu esta página e recomece. Se vier de novo parar a esta página, verifique se o seu navegador permite cookies para ela.",
    nowhere:
      "Não há nenhuma página neste endereço. Verifique a ortografia ou volte à página anterior.",
    home: "Ir para a página inicial",
    link: "O link está incompleto ou incorreto. Nada foi partilhado. Volte à aplicação a partir da qual abriu esta página e tente de novo. Se voltar a acontecer, contacte a assistência da aplicação.",
    detail: "Para quem desenvolve a aplicação:",
    clientUnknown: "client_id é desconhecido.",
    redirectUnknown:
      "redirect_uri não corresponde exatamente a nenhum dos endereços configurados do cliente. Causas habituais: uma barra no fim, http em vez de https, localhost em vez de 127.0.0.1.",
    repeated: "client_id ou redirect_uri falta ou aparece mais de uma vez.",
    forged:
      "Não foi enviado desta página tal como lhe foi mostrada. Nada foi transmitido ao seu sistema.",
    tooMany: "Chegaram demasiados pedidos da sua rede. Aguarde um minuto e depois tente de novo.",
    unavailable:
      "De momento, a página de início de sessão não pode ser mostrada. Tente de novo dentro de um minuto.",
    server:
      "O erro foi nosso. Tente de novo dentro de um minuto. Se voltar a acontecer, contacte a assistência da aplicação a partir da qual abriu esta página.",
    reference: "Se pedir ajuda, indique esta referência: {reference}",
    again: "Tentar de novo",
    reopen: "Reabrir o início de sessão",
  },
  footer: {
    about: "Rollcall liga aplicações a sistemas de RH e de salários, apenas para leitura.",
    operator: "Operado por {operator}",
    language: "Idioma",
    privacy: "Privacidade",
    imprint: "Informações legais",
    support: "Ajuda",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Este endereço não existe. Verifique a ortografia.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "Não foi possível procurar este endereço. Verifique a ortografia ou tente de novo dentro de alguns minutos.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Este endereço não responde. Verifique a ortografia e, se houver, a porta.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Não houve resposta deste endereço a tempo. Verifique se é acessível a partir da Internet ou tente de novo dentro de alguns minutos.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "O certificado deste endereço não é válido; por isso, nada lhe foi enviado. Verifique a ortografia do endereço.",
    "Something else answers at this address. Please check it.":
      "Neste endereço responde outro sistema. Verifique-o.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Este endereço conduz a outro. Introduza o que o seu navegador mostra quando utiliza o sistema.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "O servidor deste endereço está com falhas neste momento. Verifique o endereço ou tente de novo dentro de alguns minutos.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "Neste endereço não foi encontrado nada que se possa ligar. Verifique-o ou pergunte ao seu administrador.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Foram tentados demasiados endereços a partir da sua rede numa hora. Tente de novo dentro de uma hora.",
    "Please fill in this field.": "Preencha este campo.",
    "Please choose one of these.": "Escolha uma das opções.",
    "Please type less in this field.": "Introduza um texto mais curto neste campo.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Este endereço não pode ser utilizado. Tem de ser público e começar por https.",
    "User name": "Nome de utilizador",
    Password: "Senha",
    "API key": "Chave da API",
    Email: "E-mail",
    "Six-digit code from your authenticator app":
      "Código de seis dígitos da sua aplicação de autenticação",
  },
};
