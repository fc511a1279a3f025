import type { Texts } from "./en.ts";

export const es: Texts = {
  language: "Español",
  title: {
    choose: "Elija su sistema de RR. HH. o de nóminas",
    signIn: "Iniciar sesión en {provider}",
    working: "Iniciando sesión en {provider}",
    question: "Un paso más",
    approval: "Apruebe el inicio de sesión",
    failed: "No se ha podido iniciar sesión",
    done: "La conexión está lista",
    declined: "No se ha compartido nada",
    expired: "Este inicio de sesión ha caducado",
    used: "Este enlace ya se ha utilizado",
    unknown: "Este inicio de sesión ya no está abierto",
    nowhere: "Aquí no hay nada",
    link: "Este enlace no funciona",
    forged: "Este formulario no se puede procesar",
    tooMany: "Un momento, por favor",
    trouble: "Algo ha salido mal",
    accesses: "Aplicaciones con acceso",
    closed: "Ha cerrado la sesión",
    problem: "Problema: {title}",
  },
  consent: {
    asks: "{client} utiliza Rollcall para leer datos de su sistema de RR. HH. o de nóminas. Elija el que utiliza su empresa.",
    asksProvider:
      "{client} utiliza Rollcall para leer datos de {provider}. Usted lo autoriza al iniciar sesión aquí en {provider}.",
    asksElsewhere: "{client} usa Rollcall para leer datos de {provider}.",
    asksAgain:
      "{client} le pide que vuelva a iniciar sesión en {provider} para poder seguir leyendo los mismos datos. Utilice la misma cuenta que la vez anterior.",
    wants: "{client} desea leer:",
    allows: "Al iniciar sesión, usted permite a {client} leer:",
    scope: "{name}: {holds}",
    details: "Detalles",
    readOnly: "Acceso de solo lectura: no se modifica nada en su sistema.",
    lacks: "{provider} no tiene estos datos o no nos los puede dar: {data}.",
    lasts: "El acceso dura hasta que usted o {client} le pongan fin.",
    returns: "Después volverá a {host}.",
    returnsHere: "Después volverá a la aplicación de este equipo.",
    purpose: "Para qué los necesita {client}, en sus propias palabras: «{purpose}»",
    privacy: "Política de privacidad de {client}",
    support: "Ayuda de {client}",
  },
  employeeData: {
    contact: "datos de contacto",
    job: "puesto",
    pay: "salario",
    bank_account: "cuenta bancaria",
    tax_id: "NIF o número de identificación fiscal",
    date_of_birth: "fecha de nacimiento",
    nationality: "nacionalidad",
    gender: "sexo",
    ethnicity: "origen étnico",
    marital_status: "estado civil",
    relatives: "familiares",
    emergency: "contactos de emergencia",
  },
  scopes: {
    company: { name: "Empresa", holds: "nombre, NIF o número de identificación fiscal, dirección" },
    employee: { name: "Fichas individuales de empleados" },
    employees: { name: "Empleados" },
    groups: { name: "Grupos", holds: "departamentos y equipos" },
    identity: { name: "Su cuenta", holds: "su nombre, correo electrónico y teléfono" },
    payruns: { name: "Procesos de nómina", holds: "periodos y fechas de pago" },
    "payruns/:payrun_id": { name: "Recibos de nómina", holds: "ingresos, impuestos y deducciones" },
    "time-off-balances": {
      name: "Saldos de vacaciones",
      holds: "días disfrutados y días pendientes",
    },
    "time-off-entries": {
      name: "Ausencias",
      holds: "vacaciones, bajas por enfermedad y otras ausencias",
    },
    timesheets: { name: "Registro horario", holds: "horas trabajadas" },
    "work-locations": { name: "Centros de trabajo", holds: "nombres y direcciones" },
  },
  test: {
    band: "Prueba: ningún dato es real",
    refused: "user_bad_password siempre se rechaza; pruebe con user_good.",
    otp: "En el entorno de pruebas, el código es 123456.",
  },
  choose: {
    search: "Busque su sistema",
    submit: "Buscar",
    none: "No hay resultados para «{search}». Compruebe la ortografía o avise a {client} de que falta su sistema.",
    nothing: "No hay ningún sistema entre los que elegir. Avise a {client}.",
    count: { one: "1 sistema", other: "{count} sistemas" },
  },
  form: {
    submit: "Iniciar sesión y conectar",
    answer: "Continuar",
    decline: "Cancelar y volver a {client}",
    other: "Elegir otro sistema",
    show: "Mostrar",
    hide: "Ocultar",
    otpWhy: "{provider} quiere asegurarse de que es usted.",
    askWhy: "{provider} necesita un dato más.",
    again:
      "No se ha enviado nada: esta página ha estado abierta demasiado tiempo o su navegador no ha enviado ninguna cookie con el formulario. Rellénelo de nuevo. Si ve este mensaje dos veces, permita las cookies para esta página.",
    wrongAnswer: "{provider} no ha aceptado esta respuesta. Inténtelo de nuevo.",
    guide: "Cómo conectar {provider}",
    found: "Hemos encontrado su {system} en {address}.",
    settings: "Ajustes que puede dejar como están",
    otherAddress: "Cambiar la dirección",
    where: "Dónde encontrarlo",
    newTab: "se abre en una pestaña nueva",
    secret: {
      passed: "Rollcall envía este dato una sola vez a {provider} y no lo guarda.",
      kept: "Rollcall guarda este dato cifrado y lo envía a {provider} en cada consulta.",
      simulated: "{provider} no es un sistema real: este dato ni se envía ni se guarda.",
    },
    unseen: "{client} no lo ve nunca.",
  },
  recipe: {
    share: "Esta explicación como página para enviar a un compañero",
    shared:
      "Esta página es para quien tiene la clave o la contraseña de {provider}. Estos datos solo se escriben en la página de inicio de sesión: no los envíe por correo ni por chat. Quien le envió esta página puede abrir el inicio de sesión con usted.",
    rights: "Qué permisos elegir",
    ending: "Cómo finalizar el acceso en {provider} más adelante",
    drawn: "Los dibujos están simplificados. Su {provider} puede tener otro aspecto.",
    drawing: "Dibujo. Marcado: {label}.",
  },
  elsewhere: {
    submit: "Continuar a {provider}",
    text: "Usted inicia sesión en la página de {provider} y aprueba allí el acceso. Después vuelve aquí.",
    working:
      "Rollcall está completando el inicio de sesión con {provider}. Suele tardar unos segundos.",
  },
  kept: {
    title: "Qué guardamos, durante cuánto tiempo y cómo desconectar",
    session:
      "Su contraseña se utiliza una sola vez, para iniciar sesión, y no se guarda. Rollcall guarda, cifrados, la sesión que {provider} abre a cambio y el nombre, el correo electrónico y el teléfono de la cuenta.",
    secret:
      "Rollcall guarda cifrada la clave que usted introduce, porque {provider} la pide en cada consulta, además del nombre, el correo electrónico y el teléfono de la cuenta.",
    grant:
      "Usted inicia sesión en {provider} y Rollcall nunca ve su contraseña. Rollcall guarda, cifrado, el acceso que {provider} concede, además del nombre, la dirección de correo electrónico y el número de teléfono de la cuenta.",
    settings: "Lo que elija en «{fields}» se guarda cifrado mientras dure la conexión.",
    data: "Los datos que lee {client} se guardan cifrados hasta 14 días después de obtenerlos. Si {client} recibe avisos de los cambios, la última lista de empleados se guarda para compararla mientras dure la conexión.",
    end: "Para desconectar, diríjase a {client}: el acceso termina de inmediato, y la sesión y los datos se borran aquí. Cambiar la contraseña o revocar la clave en {provider} también suele poner fin al acceso.",
    after: "{client} es responsable de los datos que ya haya leído.",
  },
  working: {
    text: "{provider} está comprobando lo que ha escrito. Suele tardar unos segundos y rara vez más de un minuto.",
    stay: "No tiene que hacer nada: esta página continúa automáticamente. Hasta entonces no se comparte nada con {client}.",
    refresh: "Comprobar ahora",
  },
  approval: {
    stay: "Cuando lo haya aprobado, esta página continúa automáticamente; puede tardar medio minuto. Hasta entonces no se comparte nada con {client}.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} no ha aceptado estas credenciales ({fields}). Compruebe lo que ha escrito e inténtelo de nuevo. Si ha perdido la contraseña o la clave, restablézcala primero en {provider}.",
    incorrect_mfa_or_otp: "Este código es incorrecto o ha caducado. Escriba uno nuevo.",
    reauthentication_required:
      "{provider} ha cerrado la sesión justo después de iniciarla. Vuelva a iniciar sesión.",
    additional_account_setup_required:
      "{provider} requiere antes otro paso, por ejemplo establecer una contraseña nueva. Inicie sesión en {provider} en otra pestaña, siga las instrucciones y vuelva a intentarlo aquí.",
    captcha_challenge:
      "{provider} le pide que demuestre que no es un robot, y eso no es posible desde aquí. Inicie sesión una vez en {provider} en otra pestaña, espere unos minutos y vuelva a intentarlo aquí.",
    insufficient_permission:
      "Ha iniciado sesión, pero esta cuenta no puede leer todo lo que solicita {client}. Inicie sesión con una cuenta de administrador o pida a su administrador de {provider} que conceda los permisos a esta cuenta.",
  },
  problems: {
    choice: "Elija una de las opciones.",
    "other-account":
      "Ha iniciado sesión en una cuenta de {provider} distinta de la que se conectó con {client}. Inicie sesión con esa cuenta.",
    unapproved:
      "No se ha aprobado el inicio de sesión. Inicie sesión de nuevo y apruébelo cuando {provider} se lo pida.",
    throttled:
      "Demasiados inicios de sesión en esta cuenta han fallado en una hora, por lo que sus datos no se han enviado a {provider}. Un navegador o una red en los que esta cuenta ya se haya conectado tienen sus propios intentos, igual que un enlace personal que la aplicación puede enviarle. Si no dispone de nada de esto, o ha agotado esos intentos, inténtelo de nuevo dentro de una hora.",
    unavailable:
      "{provider} no responde o está sobrecargado. El problema no está en sus datos. Inténtelo de nuevo dentro de unos minutos.",
    unsupported:
      "{provider} no ofrece lo necesario para esta conexión. Cancele y avise a {client}.",
    broken:
      "{provider} ha respondido de forma inesperada. Inténtelo de nuevo. Si vuelve a ocurrir, avise a {client}.",
    interrupted:
      "El inicio de sesión se ha interrumpido antes de que {provider} respondiera. Vuelva a iniciar sesión.",
  },
  failed: {
    text: "{provider} ha rechazado el inicio de sesión demasiadas veces, así que este intento ha terminado y no se ha compartido nada. Vuelva a {client} y empiece de nuevo cuando tenga los datos correctos.",
    back: "Volver a {client}",
  },
  done: {
    text: "La conexión entre {client} y {provider} está lista. Puede cerrar esta página y continuar en {client}.",
    declined:
      "Ha cancelado el inicio de sesión. {client} no ha obtenido acceso y se ha borrado lo que escribió. Puede cerrar esta página o empezar de nuevo desde {client}.",
    declinedAgain:
      "Ha cancelado el inicio de sesión y se ha borrado lo que escribió. La conexión entre {client} y {provider} no ha cambiado. Puede cerrar esta página o empezar de nuevo desde {client}.",
  },
  handover: {
    offer: "Enviar esto a un compañero",
    title: "Otra persona inicia sesión por usted",
    how: "Envíe este enlace a la persona que tiene los datos de acceso. Sirve para una sola persona y durante 60 minutos.",
    link: "Enlace para su compañero",
    mail: "Escribir un correo con el enlace",
    mailSubject: "Inicie sesión para {client}, por favor",
    tell: "Después dígale estas seis cifras por teléfono o en persona, no en el mismo mensaje:",
    waiting:
      "Todavía nadie lo ha abierto con las cifras. Deje esta página abierta: continúa automáticamente.",
    helping:
      "La otra persona está iniciando sesión. Deje esta página abierta: continúa automáticamente.",
    back: "Iniciar sesión yo mismo",
    asked: "Le piden que inicie sesión",
    asksProvider:
      "{client} quiere leer datos de {provider}. La persona que le envió este enlace le pide que inicie sesión por ella.",
    asksAny:
      "{client} quiere leer datos de su sistema de personal o de nóminas. La persona que le envió este enlace le pide que inicie sesión por ella.",
    digits: "Seis cifras",
    help: "La persona que le envió el enlace las ve en su página y se las dice por teléfono o en persona. Si no sabe quién es, cierre esta página.",
    wrong: "Estas cifras no son correctas. Pregunte a la persona que le envió el enlace.",
    thanks: "Muchas gracias",
    done: "Ha iniciado sesión en {provider}. {client} continúa en el navegador de la persona que se lo pidió. Puede cerrar esta página.",
    stopped:
      "Este inicio de sesión ha terminado y no se ha compartido nada. La persona que se lo pidió puede enviarle un enlace nuevo.",
  },
  accesses: {
    choose:
      "Aquí puede ver qué aplicaciones leen datos de su cuenta de RR. HH. o de nóminas a través de Rollcall y poner fin a su acceso. Elija primero el sistema al que pertenece la cuenta.",
    noneFound: "No hay resultados para «{search}». Compruebe la ortografía.",
    nothing: "Aquí no se puede iniciar sesión en ningún sistema.",
    asks: "Inicie sesión en {provider} para ver qué aplicaciones pueden leer datos de esta cuenta y para poner fin a su acceso. Utilice la cuenta con la que las conectó. Al iniciar sesión aquí no se comparte nada.",
    submit: "Iniciar sesión",
    cancel: "Cancelar",
    stay: "No tiene que hacer nada: esta página continúa automáticamente.",
    list: "Estas aplicaciones pueden leer datos de su cuenta de {provider} a través de Rollcall:",
    still: "Estas aplicaciones siguen teniendo acceso a su cuenta de {provider}:",
    none: "Ninguna aplicación puede leer datos de esta cuenta de {provider} a través de Rollcall.",
    since: "Acceso desde el {date}",
    reads: "Datos que lee: {scopes}",
    end: "Finalizar el acceso",
    endOf: "de {client}",
    settings: "Ajustes",
    settingsWhy:
      "Estos ajustes determinan cómo {client} lee sus datos. Un cambio se aplica a partir de la próxima consulta, sin volver a iniciar sesión.",
    save: "Guardar",
    saved: "Los ajustes se han guardado.",
    endTitle: "¿Poner fin al acceso de {client}?",
    stops:
      "Después, {client} ya no podrá leer nada de su cuenta de {provider}. El acceso termina de inmediato y se eliminan la sesión y los datos guardados aquí. {client} es responsable de los datos que ya haya leído. Para volver a conectar, empiece desde {client}.",
    othersStay: "No afecta al acceso de: {clients}.",
    keep: "Mantener el acceso",
    ended: "El acceso ha finalizado.",
    ends: "El acceso termina de inmediato, y la sesión y los datos guardados aquí se borran. Cada aplicación es responsable de los datos que ya haya leído.",
    missing:
      "¿Falta alguna? Aquí no aparecen los accesos concedidos con otra cuenta u otra clave, ni los anteriores a la existencia de esta página. Pida a la aplicación que elimine la conexión.",
    signOut: "Cerrar sesión",
    closed: "Este navegador ya no tiene acceso a esta página.",
    again: "Volver a iniciar sesión",
    failed:
      "{provider} ha rechazado el inicio de sesión demasiadas veces, así que este intento ha terminado.",
    link: "Ver y finalizar accesos",
    kept: "También puede finalizar el acceso usted mismo en cualquier momento:",
  },
  errors: {
    expired:
      "Por su seguridad, un inicio de sesión solo permanece abierto durante un tiempo limitado. Vuelva a la aplicación desde la que abrió esta página y empiece de nuevo.",
    used: "Un enlace sirve una sola vez y en un solo navegador. Si ya había empezado, continúe en el navegador en el que empezó. Si no, vuelva a la aplicación desde la que abrió esta página y pida un enlace nuevo.",
    unknown:
      "Puede que haya terminado o caducado, o que se iniciara en otro navegador. Vuelva a la aplicación desde la que abrió esta página y empiece de nuevo. Si vuelve a ver esta página, compruebe que su navegador permite aquí las cookies.",
    nowhere:
      "No hay ninguna página en esta dirección. Compruebe cómo está escrita o vuelva a la página anterior.",
    home: "Ir a la página de inicio",
    link: "El enlace está incompleto o no es correcto. No se ha compartido nada. Vuelva a la aplicación desde la que abrió esta página e inténtelo de nuevo. Si vuelve a ocurrir, avise al servicio de asistencia de la aplicación.",
    detail: "Para los desarrolladores de la aplicación:",
    clientUnknown: "El client_id no existe.",
    redirectUnknown:
      "redirect_uri no coincide exactamente con ninguna de las direcciones registradas del cliente. Causas habituales: una barra al final, http en lugar de https, localhost en lugar de 127.0.0.1.",
    repeated: "Falta client_id o redirect_uri, o aparece más de una vez.",
    forged:
      "No se ha enviado desde esta página tal como se le mostró. No se ha enviado nada a su sistema.",
    tooMany:
      "Han llegado demasiadas solicitudes desde su red. Espere un minuto e inténtelo de nuevo.",
    unavailable:
      "El inicio de sesión no se puede mostrar en este momento. Inténtelo de nuevo dentro de un minuto.",
    server:
      "Ha sido un error nuestro. Inténtelo de nuevo dentro de un minuto. Si vuelve a ocurrir, avise al servicio de asistencia de la aplicación desde la que abrió esta página.",
    reference: "Si pide ayuda, indique esta referencia: {reference}",
    again: "Intentarlo de nuevo",
    reopen: "Volver a abrir el inicio de sesión",
  },
  footer: {
    about:
      "Rollcall conecta aplicaciones con sistemas de RR. HH. y de nóminas en modo de solo lectura.",
    operator: "Gestionado por {operator}",
    privacy: "Privacidad",
    imprint: "Aviso legal",
    support: "Ayuda",
    language: "Idioma",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Esta dirección no existe. Compruebe cómo está escrita.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "No se ha podido buscar esta dirección. Compruebe cómo está escrita o inténtelo de nuevo dentro de unos minutos.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Esta dirección no responde. Compruebe cómo está escrita y, si lo tiene, el puerto.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Esta dirección no ha respondido a tiempo. Compruebe si se puede acceder a ella desde internet o inténtelo de nuevo dentro de unos minutos.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "El certificado de esta dirección no es válido, por lo que no se ha enviado nada. Compruebe cómo está escrita la dirección.",
    "Something else answers at this address. Please check it.":
      "En esta dirección responde otro sistema. Compruebe la dirección.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Esta dirección lleva a otra. Escriba la que muestra su navegador cuando utiliza el sistema.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "El servidor de esta dirección falla en este momento. Compruebe la dirección o inténtelo de nuevo dentro de unos minutos.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "En esta dirección no se ha encontrado nada que se pueda conectar. Compruébela o consulte a su administrador.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Se han probado demasiadas direcciones desde su red en una hora. Inténtelo de nuevo dentro de una hora.",
    "Please fill in this field.": "Rellene este campo.",
    "Please choose one of these.": "Elija una de las opciones.",
    "Please type less in this field.": "Acorte lo que ha escrito en este campo.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Esta dirección no se puede utilizar. Debe ser pública y empezar por https.",
    "User name": "Nombre de usuario",
    Password: "Contraseña",
    "API key": "Clave de API",
    Email: "Correo electrónico",
    "Six-digit code from your authenticator app":
      "Código de seis cifras de su aplicación de autenticación",
  },
};
